// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {IAggregatorV3} from "./interfaces/IAggregatorV3.sol";
import {IRateReader} from "./interfaces/IRateReader.sol";
import {PRICE_ONE} from "./PoolMath.sol";

/// @title RateReader
/// @notice The dollar price of one token. IRateReader documents when a price is valid.
contract RateReader is IRateReader {
    /// @inheritdoc IRateReader
    uint256 public constant oracleDecimals = 8;

    /// @inheritdoc IRateReader
    address public immutable token;

    /// @inheritdoc IRateReader
    address public immutable oracle;

    /// @inheritdoc IRateReader
    uint256 public immutable maxAge;

    /// @inheritdoc IRateReader
    uint256 public immutable tokenDecimals;

    /// @param token_ The token to price.
    /// @param oracle_ The token's feed against the dollar, 8 decimals. Zero for the reference token, whose price is 1.
    /// @param maxAge_ The maximum age of an answer, in seconds.
    constructor(address token_, address oracle_, uint256 maxAge_) {
        uint8 decimals = IERC20Metadata(token_).decimals();
        if (decimals > 18) revert UnsupportedTokenDecimals(token_, decimals);
        if (oracle_ != address(0)) {
            uint8 answerDecimals = IAggregatorV3(oracle_).decimals();
            if (answerDecimals != oracleDecimals) revert UnsupportedOracleDecimals(oracle_, answerDecimals);
        }
        token = token_;
        oracle = oracle_;
        maxAge = maxAge_;
        tokenDecimals = decimals;
    }

    /// @inheritdoc IRateReader
    function getRate() external view returns (uint256) {
        if (oracle == address(0)) return PRICE_ONE;
        (, int256 answer,, uint256 updatedAt,) = IAggregatorV3(oracle).latestRoundData();
        if (answer <= 0) revert InvalidPrice(oracle, answer);
        // A zero updatedAt is a round that never completed; one in the future would not become stale.
        if (updatedAt == 0 || updatedAt > block.timestamp || block.timestamp - updatedAt > maxAge) {
            revert StalePrice(oracle, updatedAt, maxAge);
        }
        return uint256(answer);
    }
}
