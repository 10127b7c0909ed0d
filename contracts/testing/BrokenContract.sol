// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title BrokenContract
/// @notice Answers every call in one wrong way, to test what reads contracts that it does not know.
contract BrokenContract {
    enum Fault {
        Revert,
        BurnAllGas,
        ShortAnswer,
        AllOnes
    }

    Fault private immutable _FAULT;

    constructor(Fault fault) {
        _FAULT = fault;
    }

    fallback(bytes calldata) external returns (bytes memory) {
        if (_FAULT == Fault.ShortAnswer) return hex"01";
        if (_FAULT == Fault.AllOnes) {
            uint256 ones = type(uint256).max;
            return abi.encode(ones, ones, ones, ones, ones);
        }
        if (_FAULT == Fault.BurnAllGas) {
            // As Solidity's own assert did until 0.8.
            assembly ("memory-safe") {
                invalid()
            }
        }
        revert("broken");
    }
}
