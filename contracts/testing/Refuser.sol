// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Refuser
/// @notice Replaces another contract at its address and reverts chosen functions with chosen data, to test the
/// explanation of reverts. It delegates all other calls to the original code, on the storage of the address.
contract Refuser {
    struct Refusal {
        bool isSet;
        bytes data;
    }

    /// @custom:storage-location erc7201:agio.testing.Refuser
    struct Refusals {
        mapping(bytes4 selector => Refusal) bySelector;
    }

    // keccak256(abi.encode(uint256(keccak256("agio.testing.Refuser")) - 1)) & ~bytes32(uint256(0xff))
    bytes32 private constant _STORAGE = 0xc18a648bb29ddcc5b8bc378f3c39a7406200d9f77668aeb1b3ed380117bf0500;

    address private immutable _CODE;

    /// @param code The address of the original code.
    constructor(address code) {
        _CODE = code;
    }

    /// @notice Makes a function revert.
    /// @param selector The function.
    /// @param data The revert data, which may be empty.
    function refuse(bytes4 selector, bytes calldata data) external {
        _refusals().bySelector[selector] = Refusal(true, data);
    }

    /// @notice Restores a function.
    function allow(bytes4 selector) external {
        delete _refusals().bySelector[selector];
    }

    fallback(bytes calldata input) external returns (bytes memory) {
        Refusal memory refusal = _refusals().bySelector[msg.sig];
        if (refusal.isSet) _revertWith(refusal.data);
        (bool isDone, bytes memory output) = _CODE.delegatecall(input);
        if (!isDone) _revertWith(output);
        return output;
    }

    function _revertWith(bytes memory data) private pure {
        assembly ("memory-safe") {
            revert(add(data, 32), mload(data))
        }
    }

    function _refusals() private pure returns (Refusals storage refusals) {
        assembly ("memory-safe") {
            refusals.slot := _STORAGE
        }
    }
}
