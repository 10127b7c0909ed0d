// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {IAggregatorV3} from "../interfaces/IAggregatorV3.sol";
import {ForeignCurve} from "./ForeignCurve.sol";

/// @title ForeignAssimilator
/// @notice The price of a token as the DFX v2 / Stabull v1 family reads it: any answer of the feed, of any age.
/// @dev It has the family's views and none of IRateReader's extras. Values are dollars, 64.64.
contract ForeignAssimilator {
    /// @notice The feed against the dollar. The reference token has one too.
    address public immutable oracle;

    /// @notice The priced token.
    address public immutable token;

    /// @notice The reference token of the chain. The family hard-codes some chains, and returns zero on all others.
    address public constant usdc = address(0);

    /// @notice Decimals of the feed.
    uint256 public immutable oracleDecimals;

    /// @notice Decimals of the token.
    uint256 public immutable tokenDecimals;

    constructor(address oracle_, address token_) {
        oracle = oracle_;
        token = token_;
        oracleDecimals = IAggregatorV3(oracle_).decimals();
        tokenDecimals = IERC20Metadata(token_).decimals();
    }

    /// @notice Dollars per whole token, in the feed's decimals. Neither age nor sign is checked.
    function getRate() public view returns (uint256) {
        (, int256 answer,,,) = IAggregatorV3(oracle).latestRoundData();
        return uint256(answer);
    }

    /// @notice The value of raw units.
    function viewNumeraireAmount(uint256 amount) public view returns (int128) {
        return int128(ForeignCurve.divu(amount * getRate() / 10 ** oracleDecimals, 10 ** tokenDecimals));
    }

    /// @notice The value of the balance of an account.
    function viewNumeraireBalance(address account) external view returns (int128) {
        return viewNumeraireAmount(IERC20Metadata(token).balanceOf(account));
    }

    /// @notice The raw units of a value.
    function viewRawAmount(int128 value) external view returns (uint256) {
        return ForeignCurve.mulu(value, 10 ** tokenDecimals) * 10 ** oracleDecimals / getRate();
    }
}
