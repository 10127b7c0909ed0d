// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ChainProof, proveChain} from "./ChainProof.sol";

/// @title GasMeter
/// @notice Measures the gas of calls, for nodes whose `eth_estimateGas` takes no state overrides.
/// @dev Never deployed: an `eth_call` places its code at a wallet's own address, so that the measured calls come from
/// that wallet. No constructor, no storage, no immutables.
contract GasMeter {
    /// @param target The contract to call.
    /// @param data The calldata to send.
    struct Call {
        address target;
        bytes data;
    }

    /// @notice Makes calls in their order, each in the state after the previous calls, and returns the gas of each.
    /// @dev Stops at the first call that reverts, but does not revert itself, so that a revert of this code is a fault of the
    /// node. Slots and accounts that an earlier call has touched are warm for a later call. In a separate transaction they
    /// would be cold.
    /// @param calls The calls.
    /// @return proof The proof of the chain.
    /// @return gasUsed Gas of each call that was made, refunds not deducted, without the intrinsic gas of a transaction. The last
    /// one reverted if `success` is false.
    /// @return success Whether all calls succeeded.
    /// @return revertData The revert data of the call that did not.
    function measureAll(Call[] calldata calls)
        external
        returns (ChainProof memory proof, uint256[] memory gasUsed, bool success, bytes memory revertData)
    {
        uint256[] memory used = new uint256[](calls.length);
        uint256 made = 0;
        success = true;
        while (success && made < calls.length) {
            Call calldata next = calls[made];
            (used[made], success, revertData) = _call(next.target, next.data);
            made++;
        }
        gasUsed = new uint256[](made);
        for (uint256 i = 0; i < made; i++) {
            gasUsed[i] = used[i];
        }
        return (proveChain(), gasUsed, success, revertData);
    }

    /// @notice Accepts every signature of the wallet by ERC-1271.
    /// @dev Tokens and Permit2 recover the key of a wallet without code, but call one that has code, as it has here.
    /// @return The magic value of ERC-1271.
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return IERC1271.isValidSignature.selector;
    }

    function _call(address target, bytes calldata data)
        private
        returns (uint256 gasUsed, bool success, bytes memory revertData)
    {
        uint256 before = gasleft();
        (success, revertData) = target.call(data);
        gasUsed = before - gasleft();
        if (success) revertData = "";
    }
}
