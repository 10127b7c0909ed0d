// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IAggregatorV3} from "./interfaces/IAggregatorV3.sol";
import {IRateReader} from "./interfaces/IRateReader.sol";
import {PRICE_ONE, WAD} from "./PoolMath.sol";

/// @title RateReader
/// @notice The dollar price of one token. IRateReader documents when a price is valid.
contract RateReader is IRateReader {
    /// @param token The token to price.
    /// @param oracle The token's feed against the dollar, 8 decimals. Zero for the reference token, whose price is 1.
    /// @param referenceFeed The reference token's feed against the dollar, 8 decimals. Zero for other tokens, or without a check.
    /// @param maxAge The maximum age of an answer, in seconds.
    /// @param minAnswer The lowest answer that counts, 8 decimals.
    /// @param maxAnswer The highest answer that counts, 8 decimals.
    /// @param maxStep The largest change from one round of `oracle` to the next, a fraction with 18 decimals. Zero without a check.
    /// @param sequencerFeed The uptime feed of the chain's sequencer. Zero without a check. A pool reads the rates of both its
    /// tokens in each swap, so it needs the check in one reader only.
    /// @param gracePeriod The seconds after a restart of the sequencer during which no price counts.
    struct Config {
        address token;
        address oracle;
        address referenceFeed;
        uint256 maxAge;
        int256 minAnswer;
        int256 maxAnswer;
        uint256 maxStep;
        address sequencerFeed;
        uint256 gracePeriod;
    }

    /// @inheritdoc IRateReader
    uint256 public constant oracleDecimals = 8;

    /// @dev An uptime feed's answer while the sequencer works.
    int256 private constant _UP = 0;

    /// @dev An uptime feed's answer while the sequencer does not work.
    int256 private constant _DOWN = 1;

    /// @inheritdoc IRateReader
    address public immutable token;

    /// @inheritdoc IRateReader
    address public immutable oracle;

    /// @inheritdoc IRateReader
    address public immutable referenceFeed;

    /// @inheritdoc IRateReader
    uint256 public immutable maxAge;

    /// @inheritdoc IRateReader
    int256 public immutable minAnswer;

    /// @inheritdoc IRateReader
    int256 public immutable maxAnswer;

    /// @inheritdoc IRateReader
    uint256 public immutable maxStep;

    /// @inheritdoc IRateReader
    address public immutable sequencerFeed;

    /// @inheritdoc IRateReader
    uint256 public immutable gracePeriod;

    /// @inheritdoc IRateReader
    uint256 public immutable tokenDecimals;

    /// @param config The token, its feeds and the limits of their answers.
    constructor(Config memory config) {
        uint8 decimals = IERC20Metadata(config.token).decimals();
        if (decimals > 18) revert UnsupportedTokenDecimals(config.token, decimals);
        bool isReference = config.oracle == address(0);
        if (!isReference && config.referenceFeed != address(0)) {
            revert AmbiguousFeed(config.oracle, config.referenceFeed);
        }
        address feed = isReference ? config.referenceFeed : config.oracle;
        if (feed != address(0)) {
            _checkDecimals(feed);
            _checkBounds(config.minAnswer, config.maxAnswer, isReference);
        }
        if (config.maxStep >= WAD) revert InvalidStep(config.maxStep);
        if (config.sequencerFeed != address(0)) _checkSequencerFeed(config.sequencerFeed);
        token = config.token;
        oracle = config.oracle;
        referenceFeed = config.referenceFeed;
        maxAge = config.maxAge;
        minAnswer = config.minAnswer;
        maxAnswer = config.maxAnswer;
        maxStep = config.maxStep;
        sequencerFeed = config.sequencerFeed;
        gracePeriod = config.gracePeriod;
        tokenDecimals = decimals;
    }

    /// @inheritdoc IRateReader
    function getRate() external view returns (uint256) {
        if (sequencerFeed != address(0)) _checkSequencer();
        if (oracle == address(0)) {
            if (referenceFeed != address(0)) _checkPeg();
            return PRICE_ONE;
        }
        (uint80 roundId, int256 answer) = _freshRound(oracle);
        if (answer < minAnswer || answer > maxAnswer) revert PriceOutOfBounds(oracle, answer, minAnswer, maxAnswer);
        if (maxStep > 0) _checkStep(roundId, answer);
        return uint256(answer);
    }

    function _checkPeg() private view {
        (, int256 answer) = _freshRound(referenceFeed);
        if (answer < minAnswer || answer > maxAnswer) {
            revert ReferenceDepegged(referenceFeed, answer, minAnswer, maxAnswer);
        }
    }

    /// @dev Counts a round whose predecessor cannot be read: a feed without history would otherwise stop its pools for ever. A
    /// caller cannot starve this read: what remains of its gas is a 64th, too little for the rest of a swap.
    function _checkStep(uint80 roundId, int256 answer) private view {
        if (roundId == 0) return;
        (bool isRead, bytes memory round) = oracle.staticcall(abi.encodeCall(IAggregatorV3.getRoundData, (roundId - 1)));
        if (!isRead || round.length < 160) return;
        // Decoded as full words: a malformed round of others must not revert.
        (, int256 previous,, uint256 updatedAt,) = abi.decode(round, (uint256, int256, uint256, uint256, uint256));
        if (previous <= 0 || updatedAt == 0) return;
        uint256 step = answer > previous ? uint256(answer - previous) : uint256(previous - answer);
        if (step > Math.mulDiv(uint256(previous), maxStep, WAD)) {
            revert PriceStepTooLarge(oracle, answer, previous, maxStep);
        }
    }

    function _freshRound(address feed) private view returns (uint80 roundId, int256 answer) {
        uint256 updatedAt;
        (roundId, answer,, updatedAt,) = IAggregatorV3(feed).latestRoundData();
        if (answer <= 0) revert InvalidPrice(feed, answer);
        // A zero updatedAt is a round that never completed; one in the future would not become stale.
        if (updatedAt == 0 || updatedAt > block.timestamp || block.timestamp - updatedAt > maxAge) {
            revert StalePrice(feed, updatedAt, maxAge);
        }
    }

    function _checkSequencer() private view {
        (, int256 answer, uint256 startedAt,,) = IAggregatorV3(sequencerFeed).latestRoundData();
        // A zero startedAt is a feed without an answer; one in the future would end no grace period.
        bool isStarted = startedAt > 0 && startedAt <= block.timestamp;
        if (answer != _UP || !isStarted || block.timestamp - startedAt <= gracePeriod) {
            revert SequencerDown(sequencerFeed, answer, startedAt, gracePeriod);
        }
    }

    function _checkDecimals(address feed) private view {
        uint8 decimals = IAggregatorV3(feed).decimals();
        if (decimals != oracleDecimals) revert UnsupportedOracleDecimals(feed, decimals);
    }

    function _checkBounds(int256 min, int256 max, bool isReference) private pure {
        bool excludesOne = min > int256(PRICE_ONE) || max < int256(PRICE_ONE);
        if (min <= 0 || min > max || (isReference && excludesOne)) revert InvalidBounds(min, max);
    }

    function _checkSequencerFeed(address feed) private view {
        (, int256 answer,,,) = IAggregatorV3(feed).latestRoundData();
        if (answer != _UP && answer != _DOWN) revert UnsupportedSequencerFeed(feed, answer);
    }
}
