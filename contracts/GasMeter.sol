// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ChainProof, proveChain} from "./ChainProof.sol";

/// @title GasMeter
/// @notice Measures the gas of a call, for nodes whose `eth_estimateGas` takes no state overrides.
/// @dev Never deployed: an `eth_call` places its code at a wallet's own address, so that the measured call comes from
/// that wallet. No constructor, no storage, no immutables.
contract GasMeter {
    /// @notice Makes a call and returns the gas that it used, refunds not deducted.
    /// @dev Does not revert if the call does, so that a revert of this code is a fault of the node.
    /// @param target The contract to call.
    /// @param data The calldata to send.
    /// @return proof The proof of the chain.
    /// @return gasUsed Gas of the call's execution, without the transaction's intrinsic gas.
    /// @return success Whether the call succeeded.
    /// @return revertData The revert data of a call that did not.
    function measure(address target, bytes calldata data)
        external
        returns (ChainProof memory proof, uint256 gasUsed, bool success, bytes memory revertData)
    {
        uint256 before = gasleft();
        (success, revertData) = target.call(data);
        gasUsed = before - gasleft();
        return (proveChain(), gasUsed, success, success ? bytes("") : revertData);
    }
}
