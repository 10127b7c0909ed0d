// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IFaucet} from "./interfaces/IFaucet.sol";
import {Owned} from "./Owned.sol";

/// @title Faucet
/// @notice Pays out the test tokens that it holds. IFaucet documents its guarantees.
contract Faucet is IFaucet, Owned {
    using SafeERC20 for IERC20;

    /// @inheritdoc IFaucet
    uint256 public immutable cooldown;

    address[] private _tokens;

    /// @inheritdoc IFaucet
    mapping(address token => uint256 amount) public dripOf;

    /// @inheritdoc IFaucet
    mapping(address user => uint256 timestamp) public lastClaimAt;

    /// @param tokens_ The tokens of a claim, each once.
    /// @param amounts The amount of each token, raw, not zero.
    /// @param cooldown_ Seconds between two claims of one account.
    /// @param owner_ The account that may withdraw tokens.
    constructor(address[] memory tokens_, uint256[] memory amounts, uint256 cooldown_, address owner_) Owned(owner_) {
        if (tokens_.length != amounts.length) revert LengthMismatch(tokens_.length, amounts.length);
        for (uint256 i = 0; i < tokens_.length; i++) {
            if (amounts[i] == 0 || dripOf[tokens_[i]] != 0) revert InvalidDrip(tokens_[i], amounts[i]);
            dripOf[tokens_[i]] = amounts[i];
        }
        _tokens = tokens_;
        cooldown = cooldown_;
    }

    /// @inheritdoc IFaucet
    function claimAll() external {
        // Not an authorisation: a contract could create any number of accounts in one transaction, each with its own claim.
        if (msg.sender != tx.origin) revert CallerIsContract(msg.sender);
        uint256 claimableAt = nextClaimAt(msg.sender);
        if (block.timestamp < claimableAt) revert CooldownActive(claimableAt);
        lastClaimAt[msg.sender] = block.timestamp;
        for (uint256 i = 0; i < _tokens.length; i++) {
            address token = _tokens[i];
            uint256 amount = dripOf[token];
            if (IERC20(token).balanceOf(address(this)) < amount) revert FaucetDry(token);
            IERC20(token).safeTransfer(msg.sender, amount);
            emit Claimed(msg.sender, token, amount);
        }
    }

    /// @inheritdoc IFaucet
    function withdraw(address token, uint256 amount, address recipient) external onlyOwner {
        if (recipient == address(0) || recipient == address(this)) revert InvalidRecipient(recipient);
        IERC20(token).safeTransfer(recipient, amount);
        emit Withdrawn(token, recipient, amount);
    }

    /// @inheritdoc IFaucet
    function tokens() external view returns (address[] memory) {
        return _tokens;
    }

    /// @inheritdoc IFaucet
    function nextClaimAt(address user) public view returns (uint256) {
        uint256 last = lastClaimAt[user];
        return last == 0 ? 0 : last + cooldown;
    }
}
