// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IRateErrors
/// @notice Why a price does not count. A pool passes these on unchanged, so they are part of its interface too.
interface IRateErrors {
    /// @notice Thrown when a price is older than its maximum age, was never set, or claims to come from the future.
    /// @param oracle The feed.
    /// @param updatedAt Unix seconds of its newest answer.
    /// @param maxAge The maximum age in seconds. Exactly this age is still fresh.
    error StalePrice(address oracle, uint256 updatedAt, uint256 maxAge);

    /// @notice Thrown when a feed's answer is zero or negative.
    /// @param oracle The feed.
    /// @param answer Its answer, 8 decimals, signed.
    error InvalidPrice(address oracle, int256 answer);
}

/// @title IRateReader
/// @notice The dollar price of one token, and the rules by which it counts.
/// @dev The family calls this an assimilator. Here it only reads: it is never the target of a delegatecall.
interface IRateReader is IRateErrors {
    /// @notice Thrown by the constructor when a feed does not answer with 8 decimals.
    /// @param oracle The feed.
    /// @param decimals Its decimals.
    error UnsupportedOracleDecimals(address oracle, uint8 decimals);

    /// @notice Thrown by the constructor when a token has more than 18 decimals.
    /// @param token The token.
    /// @param decimals Its decimals.
    error UnsupportedTokenDecimals(address token, uint8 decimals);

    /// @notice The token whose price this is.
    function token() external view returns (address);

    /// @notice The token's feed against the dollar. Zero for the reference token, whose price is 1 by definition.
    function oracle() external view returns (address);

    /// @notice The age in seconds up to which an answer counts.
    function maxAge() external view returns (uint256);

    /// @notice Decimals of the price: always 8.
    function oracleDecimals() external view returns (uint256);

    /// @notice Decimals of the token, at most 18.
    function tokenDecimals() external view returns (uint256);

    /// @notice Dollars per whole token, 8 decimals.
    /// @dev A price counts if `answer > 0`, `0 < updatedAt <= now` and `now - updatedAt <= maxAge`, where now is the
    /// block's time. Throws {InvalidPrice} or {StalePrice} otherwise.
    function getRate() external view returns (uint256);
}
