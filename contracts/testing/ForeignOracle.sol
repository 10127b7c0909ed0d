// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAggregatorV3} from "../interfaces/IAggregatorV3.sol";

/// @title ForeignOracle
/// @notice A third-party feed: it answers, and no account of a test can set its answer. Its decimals may differ from 8.
/// @dev All of it is immutable, so that its code can be placed at any address.
contract ForeignOracle is IAggregatorV3 {
    /// @inheritdoc IAggregatorV3
    uint8 public immutable decimals;

    int256 private immutable _ANSWER;
    uint256 private immutable _UPDATED_AT;

    /// @param decimals_ Decimals of the answer.
    /// @param answer The price, as of the current block.
    constructor(uint8 decimals_, int256 answer) {
        decimals = decimals_;
        _ANSWER = answer;
        _UPDATED_AT = block.timestamp;
    }

    /// @inheritdoc IAggregatorV3
    function description() external pure returns (string memory) {
        return "Foreign / USD";
    }

    /// @inheritdoc IAggregatorV3
    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (1, _ANSWER, _UPDATED_AT, _UPDATED_AT, 1);
    }

    /// @inheritdoc IAggregatorV3
    function getRoundData(uint80) external pure returns (uint80, int256, uint256, uint256, uint80) {
        revert("No data present");
    }
}
