// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IAggregatorV3
/// @notice The part of Chainlink's AggregatorV3Interface that a rate reader needs.
interface IAggregatorV3 {
    /// @notice The number of decimals of an answer.
    function decimals() external view returns (uint8);

    /// @notice The name of the feed, such as "AUD / USD".
    function description() external view returns (string memory);

    /// @notice The newest answer.
    /// @return roundId The number of the round.
    /// @return answer The price, scaled by 10^decimals. Signed: a feed can return a negative one.
    /// @return startedAt Unix seconds at which the round began.
    /// @return updatedAt Unix seconds of the answer, from which its age counts.
    /// @return answeredInRound Deprecated by Chainlink, do not use.
    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound);

    /// @notice The answer of a round. Feeds differ for a round that they do not have: some revert, others return zeros.
    /// @param id The number of the round.
    function getRoundData(uint80 id)
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound);
}
