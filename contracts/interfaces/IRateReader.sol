// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IRateErrors
/// @notice The reasons for which a price is rejected. A pool passes them on unchanged, so its interface has them too.
interface IRateErrors {
    /// @notice Thrown when a price is older than its maximum age, was never set, or has a timestamp in the future.
    /// @param oracle The feed.
    /// @param updatedAt Unix seconds of its newest answer.
    /// @param maxAge The maximum age, in seconds. A price of exactly this age is fresh.
    error StalePrice(address oracle, uint256 updatedAt, uint256 maxAge);

    /// @notice Thrown when a feed's answer is zero or negative.
    /// @param oracle The feed.
    /// @param answer Its answer, 8 decimals, signed.
    error InvalidPrice(address oracle, int256 answer);
}

/// @title IRateReader
/// @notice The dollar price of one token, and the rules by which it is valid.
/// @dev The family calls this an assimilator. This one only reads: a pool never delegatecalls it.
interface IRateReader is IRateErrors {
    /// @notice Thrown by the constructor when a feed does not have 8 decimals.
    /// @param oracle The feed.
    /// @param decimals Its decimals.
    error UnsupportedOracleDecimals(address oracle, uint8 decimals);

    /// @notice Thrown by the constructor when a token has more than 18 decimals.
    /// @param token The token.
    /// @param decimals Its decimals.
    error UnsupportedTokenDecimals(address token, uint8 decimals);

    /// @notice The priced token.
    function token() external view returns (address);

    /// @notice The feed of the token against the dollar. Zero for the reference token, whose price is 1 by definition.
    function oracle() external view returns (address);

    /// @notice The maximum age of an answer, in seconds.
    function maxAge() external view returns (uint256);

    /// @notice Decimals of the price: always 8.
    function oracleDecimals() external view returns (uint256);

    /// @notice Decimals of the token, at most 18.
    function tokenDecimals() external view returns (uint256);

    /// @notice Dollars per whole token, 8 decimals.
    /// @dev A price is valid if `answer > 0`, `0 < updatedAt <= now` and `now - updatedAt <= maxAge`, where now is the
    /// block timestamp. Throws {InvalidPrice} or {StalePrice} otherwise.
    function getRate() external view returns (uint256);
}
