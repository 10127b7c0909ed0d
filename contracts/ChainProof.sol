// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev Begins every result of the code that the service places by state override. It returns no block number: on some
/// chains the EVM reports the block number of another chain.
/// @param marker `PROOF_MARKER`: the result was made by this code.
/// @param chainId The id of the chain whose state it was made from.
struct ChainProof {
    bytes32 marker;
    uint256 chainId;
}

bytes32 constant PROOF_MARKER = keccak256("agio.ChainProof.1");

/// @dev The proof of the chain on which this runs.
function proveChain() view returns (ChainProof memory) {
    return ChainProof(PROOF_MARKER, block.chainid);
}
