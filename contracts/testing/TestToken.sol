// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {PlainToken} from "./PlainToken.sol";

/// @title TestToken
/// @notice A worthless stablecoin for local chains and test networks, with permits by EIP-2612.
contract TestToken is PlainToken, ERC20Permit {
    /// @param decimals_ Decimals of the token.
    /// @param owner The account that may mint.
    constructor(string memory name, string memory symbol, uint8 decimals_, address owner)
        PlainToken(name, symbol, decimals_, owner)
        ERC20Permit(name)
    {}

    /// @inheritdoc PlainToken
    function decimals() public view override(PlainToken, ERC20) returns (uint8) {
        return super.decimals();
    }
}
