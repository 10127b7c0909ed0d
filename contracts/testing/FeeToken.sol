// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestToken} from "./TestToken.sol";

/// @title FeeToken
/// @notice A token that delivers one unit less than was sent.
contract FeeToken is TestToken {
    constructor(uint8 decimals_, address owner) TestToken("Fee", "FEE", decimals_, owner) {}

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (from != address(0) && to != address(0) && value > 0) super._update(to, address(0), 1);
    }
}
