// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestToken} from "./TestToken.sol";

/// @title ReentrantToken
/// @notice A hostile token that makes a call before its next transfer.
contract ReentrantToken is TestToken {
    address private _victim;
    bytes private _data;

    /// @notice The return data or revert data of the callback.
    bytes public outcome;

    /// @notice Whether the callback succeeded.
    bool public succeeded;

    constructor(uint8 decimals_, address owner) TestToken("Reentrant", "RE", decimals_, owner) {}

    /// @notice Sets the callback of the next transfer, and clears the result of the last one.
    /// @param victim The contract to call.
    /// @param data The calldata to send.
    function arm(address victim, bytes calldata data) external {
        delete outcome;
        delete succeeded;
        _victim = victim;
        _data = data;
    }

    function _update(address from, address to, uint256 value) internal override {
        _callBack();
        super._update(from, to, value);
    }

    function _callBack() internal {
        address victim = _victim;
        _victim = address(0);
        if (victim != address(0)) (succeeded, outcome) = victim.call(_data);
    }
}
