// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {CallBatch} from "./CallBatch.sol";

/// @title Delegate
/// @notice Code for a wallet that delegates to it by EIP-7702: batches of the wallet itself, and signatures by ERC-1271.
/// @dev It has no storage: the wallet and its delegate share one.
abstract contract Delegate is IERC1271, CallBatch {
    /// @notice Thrown when the caller of a batch is not the wallet.
    /// @param caller The caller.
    error NotTheWallet(address caller);

    receive() external payable {}

    /// @notice Makes calls of the wallet, all or none. Only the wallet itself may call it.
    function execute(Call[] calldata calls) external {
        if (msg.sender != address(this)) revert NotTheWallet(msg.sender);
        _execute(calls);
    }
}
