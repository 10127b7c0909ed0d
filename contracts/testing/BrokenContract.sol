// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title BrokenContract
/// @notice Answers every call with the same fault, to test code that reads unknown contracts.
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
            // Burns all gas, as assert did before Solidity 0.8.
            assembly ("memory-safe") {
                invalid()
            }
        }
        revert("broken");
    }
}
