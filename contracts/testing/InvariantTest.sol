// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "./Test.sol";

/// @title InvariantTest
/// @notice The base of tests with invariants: the runner calls the functions of a handler in random order, and each invariant
/// after every call. `INVARIANT_DEPTH` sets the calls of a run.
abstract contract InvariantTest is Test {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    FuzzSelector private _targets;

    /// @notice What the runner calls.
    function targetSelectors() external view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0] = _targets;
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = _targets.addr;
    }

    /// @dev Sets the handler and its functions. A function that is listed twice is called twice as often.
    function _target(address handler, bytes4[] memory selectors) internal {
        _targets = FuzzSelector(handler, selectors);
    }
}
