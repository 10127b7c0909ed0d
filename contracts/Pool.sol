// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IPool} from "./interfaces/IPool.sol";
import {PoolQuotes} from "./PoolQuotes.sol";

/// @title Pool
/// @notice An oracle-anchored constant-sum pool with a halt. IPool documents its guarantees.
/// @dev Reserves are the token balances of this contract: a donation belongs to the liquidity providers. The
/// deployer of a pool makes the first deposit. Rebasing tokens are not supported; fee-on-transfer tokens are rejected.
contract Pool is PoolQuotes {
    using SafeERC20 for IERC20;

    /// @dev OpenZeppelin's ERC20 does not mint to zero.
    address private constant _BURN_ADDRESS = 0x000000000000000000000000000000000000dEaD;

    /// @inheritdoc IPool
    address public guardian;

    modifier beforeDeadline(uint256 deadline) {
        if (block.timestamp >= deadline) revert DeadlinePassed(deadline);
        _;
    }

    constructor(Config memory config) PoolQuotes(config) {}

    /// @inheritdoc IPool
    function originSwap(
        address origin,
        address target,
        uint256 originAmount,
        uint256 minTargetAmount,
        uint256 deadline
    ) external nonReentrant beforeDeadline(deadline) returns (uint256 targetAmount) {
        targetAmount = _quoteOriginSwap(origin, target, originAmount);
        if (targetAmount < minTargetAmount) revert BelowMinTarget(targetAmount, minTargetAmount);
        _settle(origin, target, originAmount, targetAmount);
    }

    /// @inheritdoc IPool
    function targetSwap(
        address origin,
        address target,
        uint256 maxOriginAmount,
        uint256 targetAmount,
        uint256 deadline
    ) external nonReentrant beforeDeadline(deadline) returns (uint256 originAmount) {
        originAmount = _quoteTargetSwap(origin, target, targetAmount);
        if (originAmount > maxOriginAmount) revert AboveMaxInput(originAmount, maxOriginAmount);
        _settle(origin, target, originAmount, targetAmount);
    }

    /// @inheritdoc IPool
    function deposit(
        uint256 value,
        uint256 minQuote,
        uint256 minBase,
        uint256 maxQuote,
        uint256 maxBase,
        uint256 deadline
    ) external nonReentrant beforeDeadline(deadline) returns (uint256 lpAmount, uint256[] memory amounts) {
        (lpAmount, amounts) = _quoteDeposit(value);
        _checkBounds(_QUOTE, amounts[1], minQuote, maxQuote);
        _checkBounds(_BASE, amounts[0], minBase, maxBase);
        _settleDeposit(lpAmount, amounts);
    }

    /// @inheritdoc IPool
    function depositWithMin(
        uint256 value,
        uint256 minLpAmount,
        uint256 maxQuote,
        uint256 maxBase,
        uint256 deadline
    ) external nonReentrant beforeDeadline(deadline) returns (uint256 lpAmount, uint256[] memory amounts) {
        (lpAmount, amounts) = _quoteDeposit(value);
        _checkBounds(_QUOTE, amounts[1], 0, maxQuote);
        _checkBounds(_BASE, amounts[0], 0, maxBase);
        if (lpAmount < minLpAmount) revert BelowMinLp(lpAmount, minLpAmount);
        _settleDeposit(lpAmount, amounts);
    }

    /// @inheritdoc IPool
    function withdraw(uint256 lpAmount, uint256 deadline)
        external
        nonReentrant
        beforeDeadline(deadline)
        returns (uint256[] memory amounts)
    {
        return _withdraw(lpAmount, msg.sender);
    }

    /// @inheritdoc IPool
    function withdrawTo(uint256 lpAmount, address recipient, uint256 deadline)
        external
        nonReentrant
        beforeDeadline(deadline)
        returns (uint256[] memory amounts)
    {
        if (recipient == address(0) || recipient == address(this)) revert InvalidRecipient(recipient);
        return _withdraw(lpAmount, recipient);
    }

    /// @inheritdoc IPool
    function setFrozen(bool isFrozen) external {
        if (msg.sender != guardian) _checkOwner();
        else if (!isFrozen && msg.sender != owner()) revert GuardianCannotUnfreeze(msg.sender);
        frozen = isFrozen;
        emit FrozenSet(isFrozen);
    }

    /// @inheritdoc IPool
    function setGuardian(address newGuardian) external onlyOwner {
        emit GuardianSet(guardian, newGuardian);
        guardian = newGuardian;
    }

    function _settle(address origin, address target, uint256 originAmount, uint256 targetAmount) private {
        _pull(origin, originAmount);
        IERC20(target).safeTransfer(msg.sender, targetAmount);
        emit Trade(msg.sender, origin, target, originAmount, targetAmount, 0);
    }

    /// @dev Mints after the pool has received both tokens: LP tokens exist only with the reserves that back them. The lock
    /// keeps the supply constant until then. A token that calls out can only send tokens to the pool, which is a donation.
    function _settleDeposit(uint256 lpAmount, uint256[] memory amounts) private {
        _pull(_BASE, amounts[0]);
        _pull(_QUOTE, amounts[1]);
        if (totalSupply() == 0) _mint(_BURN_ADDRESS, _LOCKED_LP);
        _mint(msg.sender, lpAmount);
    }

    function _withdraw(uint256 lpAmount, address recipient) private returns (uint256[] memory amounts) {
        amounts = _quoteWithdraw(lpAmount);
        _burn(msg.sender, lpAmount);
        IERC20(_BASE).safeTransfer(recipient, amounts[0]);
        IERC20(_QUOTE).safeTransfer(recipient, amounts[1]);
    }

    /// @dev Rejects a token that delivers less than was sent: the liquidity providers would lose the difference.
    function _pull(address token, uint256 amount) private {
        uint256 before = _balanceOf(token);
        IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
        uint256 received = _balanceOf(token) - before;
        if (received < amount) revert TransferMismatch(token, amount, received);
    }

    function _checkBounds(address token, uint256 amount, uint256 min, uint256 max) private pure {
        if (amount < min || amount > max) revert DepositOutOfBounds(token, amount, min, max);
    }
}
