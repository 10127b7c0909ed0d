// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title CallBatch
/// @notice Makes several calls of an account in one transaction, all or none.
abstract contract CallBatch {
    struct Call {
        address target;
        bytes data;
    }

    /// @dev Makes the calls in their order. The revert of one becomes the revert of all.
    function _execute(Call[] calldata calls) internal {
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
