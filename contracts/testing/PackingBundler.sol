// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title PackingBundler
/// @notice Makes a call of a smart account from inverted calldata, as bundlers compress it: the transaction does not
/// show the call.
contract PackingBundler {
    /// @notice Calls an account. The revert of the account becomes the revert of the transaction.
    /// @param packed The calldata for the account, with every bit inverted.
    function execute(address account, bytes memory packed) external {
        for (uint256 i = 0; i < packed.length; i++) packed[i] = ~packed[i];
        (bool isDone, bytes memory output) = account.call(packed);
        if (!isDone) {
            assembly ("memory-safe") {
                revert(add(output, 32), mload(output))
            }
        }
    }
}
