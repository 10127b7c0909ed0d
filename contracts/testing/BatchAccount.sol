// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CallBatch} from "./CallBatch.sol";

/// @title BatchAccount
/// @notice A smart account without an owner that makes several calls in one transaction, to test receipts.
contract BatchAccount is CallBatch {
    /// @notice Makes the calls in their order. A call that reverts makes all of them revert alike.
    function execute(Call[] calldata calls) external {
        _execute(calls);
    }
}
