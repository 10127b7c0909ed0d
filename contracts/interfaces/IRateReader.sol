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

    /// @notice Thrown when the answer of a token's feed is implausible, as one wrong round may be.
    /// @param oracle The feed.
    /// @param answer Its answer, 8 decimals.
    /// @param minAnswer The lowest plausible answer, 8 decimals.
    /// @param maxAnswer The highest plausible answer, 8 decimals.
    error PriceOutOfBounds(address oracle, int256 answer, int256 minAnswer, int256 maxAnswer);

    /// @notice Thrown when the answer of a token's feed differs too much from the answer of the round before. The next round that
    /// is close to this answer confirms it.
    /// @param oracle The feed.
    /// @param answer Its answer, 8 decimals.
    /// @param previousAnswer The answer of the round before, 8 decimals.
    /// @param maxStep The largest change, as a fraction of the previous answer with 18 decimals.
    error PriceStepTooLarge(address oracle, int256 answer, int256 previousAnswer, uint256 maxStep);

    /// @notice Thrown when the reference token is no longer worth a dollar.
    /// @param feed The feed of the reference token.
    /// @param answer Its answer, 8 decimals.
    /// @param minAnswer The lower end of the band, 8 decimals.
    /// @param maxAnswer The upper end of the band, 8 decimals.
    error ReferenceDepegged(address feed, int256 answer, int256 minAnswer, int256 maxAnswer);

    /// @notice Thrown while the sequencer of the chain is down, and until its grace period has passed. Feeds may not have had a
    /// chance to update meanwhile.
    /// @param feed The uptime feed of the sequencer.
    /// @param answer Its answer: 0 up, 1 down.
    /// @param startedAt Unix seconds of the last change of the answer; 0 for a feed without an answer.
    /// @param gracePeriod The seconds after a restart during which no price counts.
    error SequencerDown(address feed, int256 answer, uint256 startedAt, uint256 gracePeriod);
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

    /// @notice Thrown by the constructor when a reader has a feed of a token and a feed of the reference token.
    /// @param oracle The feed of the token.
    /// @param referenceFeed The feed of the reference token.
    error AmbiguousFeed(address oracle, address referenceFeed);

    /// @notice Thrown by the constructor unless `0 < minAnswer <= maxAnswer`, or when the band of the reference token excludes 1.
    /// @param minAnswer The lower bound, 8 decimals.
    /// @param maxAnswer The upper bound, 8 decimals.
    error InvalidBounds(int256 minAnswer, int256 maxAnswer);

    /// @notice Thrown by the constructor when the largest step is 1 or more: it would never refuse a price that falls.
    /// @param maxStep The step, a fraction with 18 decimals.
    error InvalidStep(uint256 maxStep);

    /// @notice Thrown by the constructor when the answer of an uptime feed is neither 0 nor 1, as of a price feed.
    /// @param feed The feed.
    /// @param answer Its answer.
    error UnsupportedSequencerFeed(address feed, int256 answer);

    /// @notice The priced token.
    function token() external view returns (address);

    /// @notice The feed of the token against the dollar. Zero for the reference token, whose price is always 1.
    function oracle() external view returns (address);

    /// @notice The feed that shows whether the reference token is worth a dollar. Its answer is never a price. Zero for other
    /// tokens, and for a reference token that is trusted.
    function referenceFeed() external view returns (address);

    /// @notice The maximum age of an answer, in seconds.
    function maxAge() external view returns (uint256);

    /// @notice The lowest answer of the feed that counts, 8 decimals.
    function minAnswer() external view returns (int256);

    /// @notice The highest answer of the feed that counts, 8 decimals.
    function maxAnswer() external view returns (int256);

    /// @notice The largest change from one round of the token's feed to the next, as a fraction of the earlier answer with 18
    /// decimals. Zero if none is checked.
    /// @dev A round is compared with the round before, whatever time lies between them. A round without one counts: the first
    /// round of a feed, the first after a change of its aggregator, and any round of a feed that keeps no history.
    function maxStep() external view returns (uint256);

    /// @notice The uptime feed of the chain's sequencer: 0 is up, 1 is down. Zero if none is checked.
    function sequencerFeed() external view returns (address);

    /// @notice The seconds after a restart of the sequencer during which no price counts.
    function gracePeriod() external view returns (uint256);

    /// @notice Decimals of the price: always 8.
    function oracleDecimals() external view returns (uint256);

    /// @notice Decimals of the token, at most 18.
    function tokenDecimals() external view returns (uint256);

    /// @notice Dollars per whole token, 8 decimals.
    /// @dev Throws, in this order, where now is the block timestamp:
    /// - {SequencerDown} unless the sequencer is up, and has been for more than `gracePeriod`
    /// - {InvalidPrice} unless `answer > 0`
    /// - {StalePrice} unless `0 < updatedAt <= now` and `now - updatedAt <= maxAge`
    /// - {PriceOutOfBounds} or {ReferenceDepegged} unless `minAnswer <= answer <= maxAnswer`
    /// - {PriceStepTooLarge} unless `|answer - previousAnswer| <= previousAnswer * maxStep / 1e18`
    function getRate() external view returns (uint256);
}
