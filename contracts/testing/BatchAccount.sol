// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title BatchAccount
/// @notice A smart account without an owner that makes several calls in one transaction, to test receipts.
contract BatchAccount {
    struct Call {
        address target;
        bytes data;
    }

    /// @notice Makes the calls in their order. A call that reverts makes all of them revert alike.
    function execute(Call[] calldata calls) external {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool isDone, bytes memory output) = calls[i].target.call(calls[i].data);
            if (!isDone) {
                assembly ("memory-safe") {
                    revert(add(output, 32), mload(output))
                }
            }
        }
    }
}
