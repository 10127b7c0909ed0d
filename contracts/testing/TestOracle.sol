// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAggregatorV3} from "../interfaces/IAggregatorV3.sol";
import {Owned} from "../Owned.sol";

/// @title TestOracle
/// @notice A price feed whose owner sets its answers, for local chains and test networks.
contract TestOracle is IAggregatorV3, Owned {
    /// @inheritdoc IAggregatorV3
    uint8 public constant decimals = 8;

    /// @inheritdoc IAggregatorV3
    string public description;

    uint80 private _roundId;
    int256 private _answer;
    uint256 private _updatedAt;

    /// @dev The earlier rounds. The newest one is in the variables above.
    mapping(uint80 roundId => Round round) private _history;

    struct Round {
        int256 answer;
        uint256 updatedAt;
    }

    /// @notice Emitted when the feed has a new answer.
    /// @param current The answer, 8 decimals.
    /// @param roundId The number of its round, one more than the last.
    /// @param updatedAt Unix seconds from which its age counts.
    event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt);

    /// @param description_ The name of the feed, such as "AUD / USD".
    /// @param initialAnswer The first price, 8 decimals.
    /// @param owner The account that may set new ones.
    constructor(string memory description_, int256 initialAnswer, address owner) Owned(owner) {
        description = description_;
        _setRound(initialAnswer, block.timestamp);
    }

    /// @notice Sets a new price, as of the current block. Only the owner may call it.
    /// @param answer 8 decimals, signed, so that a test can set an invalid one.
    function updateAnswer(int256 answer) external onlyOwner {
        _setRound(answer, block.timestamp);
    }

    /// @notice Sets a price of any age. Only the owner may call it.
    /// @param answer 8 decimals, signed.
    /// @param updatedAt Unix seconds from which its age counts.
    function setRound(int256 answer, uint256 updatedAt) external onlyOwner {
        _setRound(answer, updatedAt);
    }

    /// @inheritdoc IAggregatorV3
    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (_roundId, _answer, _updatedAt, _updatedAt, _roundId);
    }

    /// @inheritdoc IAggregatorV3
    /// @dev Zeros for a round that does not exist.
    function getRoundData(uint80 id) external view returns (uint80, int256, uint256, uint256, uint80) {
        Round memory round = id == _roundId ? Round(_answer, _updatedAt) : _history[id];
        return (id, round.answer, round.updatedAt, round.updatedAt, id);
    }

    function _setRound(int256 answer, uint256 updatedAt) private {
        _history[_roundId] = Round(_answer, _updatedAt);
        _roundId++;
        _answer = answer;
        _updatedAt = updatedAt;
        emit AnswerUpdated(answer, _roundId, updatedAt);
    }
}
