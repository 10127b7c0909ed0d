// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Vm
/// @notice The cheat codes of the test runner that these tests use.
interface Vm {
    function roll(uint256 number) external;
    function warp(uint256 timestamp) external;
    function chainId(uint256 chainId) external;
    function prank(address sender) external;
    function prank(address sender, address origin) external;
    function startPrank(address sender) external;
    function stopPrank() external;
    function expectRevert(bytes calldata revertData) external;
    function expectEmit(address emitter) external;
    function addr(uint256 privateKey) external pure returns (address);
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function snapshotState() external returns (uint256 id);
    function revertToState(uint256 id) external returns (bool success);
    function readFile(string calldata path) external view returns (string memory);
    function parseBytes(string calldata text) external pure returns (bytes memory);
    function trim(string calldata text) external pure returns (string memory);
    function pauseGasMetering() external;
    function resumeGasMetering() external;
    function etch(address target, bytes calldata code) external;
    function deal(address account, uint256 balance) external;
    function assertEq(uint256 actual, uint256 expected) external pure;
    function assertEq(int256 actual, int256 expected) external pure;
    function assertEq(address actual, address expected) external pure;
    function assertEq(bytes32 actual, bytes32 expected) external pure;
    function assertEq(bytes calldata actual, bytes calldata expected) external pure;
    function assertEq(bool actual, bool expected) external pure;
    function assertLe(uint256 actual, uint256 limit) external pure;
    function assertGe(uint256 actual, uint256 limit) external pure;
}

/// @title Test
/// @notice The base of every test contract.
abstract contract Test {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @dev Maps a fuzzed value to one from `min` to `max`, both included. Small values keep their value.
    function _bound(uint256 value, uint256 min, uint256 max) internal pure returns (uint256) {
        return value >= min && value <= max ? value : min + value % (max - min + 1);
    }
}
