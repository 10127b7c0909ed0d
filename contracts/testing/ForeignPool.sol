// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ForeignQuotes} from "./ForeignQuotes.sol";

/// @title ForeignPool
/// @notice A third-party pool, to test that the service works with pools that are not ours: the ABI of DFX v2 / Stabull v1
/// without `curve()`, revert reasons as strings, a price that worsens with imbalance, and the quirks of the family. Its curve is
/// a variant that the service cannot compute; FamilyPool has the curve of the family.
/// @dev The quirks, all found in the family: a swap may pay up to two raw units less than its view returns; views and
/// swaps accept a price of any age; in an emergency, views return while swaps revert; the view of a withdrawal reverts
/// while frozen, although withdrawals work; a view returns the terms of a deposit above the pool's cap; an amount too
/// small to buy anything succeeds with an output of zero. IPool documents the rest.
contract ForeignPool is ForeignQuotes {
    using SafeERC20 for IERC20;

    address private constant _BURN_ADDRESS = 0x000000000000000000000000000000000000dEaD;

    uint256 private immutable _DRIFT;

    /// @dev The most LP tokens that deposits may lead to; zero for any number. As in the family, no view returns it.
    uint256 private _cap;

    event Trade(
        address indexed trader,
        address indexed origin,
        address indexed target,
        uint256 originAmount,
        uint256 targetAmount,
        int128 rawProtocolFee
    );

    modifier onlyOwner() {
        require(msg.sender == owner, "Curve/caller-is-not-owner");
        _;
    }

    modifier isNotEmergency() {
        require(!emergency, "Curve/emergency-only-allowing-emergency-proportional-withdraw");
        _;
    }

    modifier beforeDeadline(uint256 deadline) {
        require(block.timestamp < deadline, "Curve/tx-deadline-passed");
        _;
    }

    modifier belowCap(uint256 value) {
        require(_cap == 0 || totalSupply() + value <= _cap, "curve/exceeds pool cap");
        _;
    }

    constructor(Config memory config) ForeignQuotes(config) {
        _DRIFT = config.drift;
    }

    function setFrozen(bool isFrozen) external onlyOwner {
        frozen = isFrozen;
    }

    function setEmergency(bool isEmergency) external onlyOwner {
        emergency = isEmergency;
    }

    function setGloballyFrozen(bool isFrozen) external onlyOwner {
        _isGloballyFrozen = isFrozen;
    }

    function setCap(uint256 cap) external onlyOwner {
        _cap = cap;
    }

    function originSwap(
        address origin,
        address target,
        uint256 originAmount,
        uint256 minTargetAmount,
        uint256 deadline
    ) external beforeDeadline(deadline) transactable isNotEmergency returns (uint256 targetAmount) {
        targetAmount = _payOrigin(origin, target, originAmount);
        require(targetAmount >= minTargetAmount, "Curve/below-min-target-amount");
        _settle(origin, target, originAmount, targetAmount);
    }

    function targetSwap(
        address origin,
        address target,
        uint256 maxOriginAmount,
        uint256 targetAmount,
        uint256 deadline
    ) external beforeDeadline(deadline) transactable isNotEmergency returns (uint256 originAmount) {
        originAmount = _quoteTarget(origin, target, targetAmount) + _DRIFT;
        require(originAmount <= maxOriginAmount, "Curve/above-max-origin-amount");
        _settle(origin, target, originAmount, targetAmount);
    }

    function deposit(
        uint256 value,
        uint256 minQuote,
        uint256 minBase,
        uint256 maxQuote,
        uint256 maxBase,
        uint256 deadline
    )
        external
        beforeDeadline(deadline)
        transactable
        isNotEmergency
        belowCap(value)
        returns (uint256 lpAmount, uint256[] memory amounts)
    {
        require(value > 0, "Curve/deposit_below_zero");
        (lpAmount, amounts) = _quoteDeposit(value);
        require(amounts[0] <= maxBase && amounts[0] >= minBase, "Assimilator/LP Ratio imbalanced!");
        require(amounts[1] <= maxQuote && amounts[1] >= minQuote, "Assimilator/LP Ratio imbalanced!");
        if (totalSupply() == 0) _mint(_BURN_ADDRESS, _LOCKED_LP);
        _mint(msg.sender, lpAmount);
        for (uint256 i = 0; i < 2; i++) {
            require(amounts[i] > 0, "intakeNumeraire/zero-amount!");
            IERC20(_assets[i]).safeTransferFrom(msg.sender, address(this), amounts[i]);
        }
    }

    function withdraw(uint256 lpAmount, uint256 deadline)
        external
        beforeDeadline(deadline)
        isNotEmergency
        returns (uint256[] memory)
    {
        return _withdraw(lpAmount);
    }

    function emergencyWithdraw(uint256 lpAmount, uint256 deadline)
        external
        beforeDeadline(deadline)
        returns (uint256[] memory)
    {
        require(emergency, "Curve/emergency-only-allowing-emergency-proportional-withdraw");
        return _withdraw(lpAmount);
    }

    function _payOrigin(address origin, address target, uint256 originAmount) internal view virtual returns (uint256) {
        uint256 quoted = _quoteOrigin(origin, target, originAmount);
        return quoted > _DRIFT ? quoted - _DRIFT : 0;
    }

    function _settle(address origin, address target, uint256 originAmount, uint256 targetAmount) private {
        IERC20(origin).safeTransferFrom(msg.sender, address(this), originAmount);
        IERC20(target).safeTransfer(msg.sender, targetAmount);
        emit Trade(msg.sender, origin, target, originAmount, targetAmount, 0);
    }

    function _withdraw(uint256 lpAmount) private returns (uint256[] memory amounts) {
        amounts = _quoteWithdraw(lpAmount);
        _burn(msg.sender, lpAmount);
        for (uint256 i = 0; i < 2; i++) {
            IERC20(_assets[i]).safeTransfer(msg.sender, amounts[i]);
        }
    }
}
