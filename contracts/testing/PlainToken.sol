// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Owned} from "../Owned.sol";

/// @title PlainToken
/// @notice A worthless stablecoin for local chains and test networks, without permits.
contract PlainToken is ERC20, Owned {
    uint8 private immutable _DECIMALS;

    /// @param decimals_ Decimals of the token.
    /// @param owner The account that may mint.
    constructor(string memory name, string memory symbol, uint8 decimals_, address owner)
        ERC20(name, symbol)
        Owned(owner)
    {
        _DECIMALS = decimals_;
    }

    /// @notice Mints tokens. Only the owner may call it.
    /// @param to The account that receives them.
    /// @param amount The amount, raw.
    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    /// @inheritdoc ERC20
    function decimals() public view virtual override returns (uint8) {
        return _DECIMALS;
    }
}
