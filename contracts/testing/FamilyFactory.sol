// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title FamilyFactory
/// @notice A third-party registry of pools, to test that a live deployment can be adopted: the views and the event of the
/// factories of the DFX / Stabull family. Like version 3, it registers a pool under both orders of its tokens.
/// @dev The family's factory creates the pool itself; this one is told its address.
contract FamilyFactory {
    mapping(bytes32 id => address curve) public curves;

    event NewCurve(address indexed caller, bytes32 indexed id, address indexed curve);

    function newCurve(address base, address quote, address curve) external {
        require(getCurve(base, quote) == address(0), "CurveFactory/currency-pair-already-exists");
        bytes32 id = keccak256(abi.encode(base, quote));
        curves[id] = curve;
        curves[keccak256(abi.encode(quote, base))] = curve;
        emit NewCurve(msg.sender, id, curve);
    }

    function getCurve(address base, address quote) public view returns (address) {
        return curves[keccak256(abi.encode(base, quote))];
    }
}
