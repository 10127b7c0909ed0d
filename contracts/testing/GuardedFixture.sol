// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Pool} from "../Pool.sol";
import {RateReader} from "../RateReader.sol";
import {Fixture} from "./Fixture.sol";
import {TestOracle} from "./TestOracle.sol";

/// @title GuardedFixture
/// @notice A pool whose readers have bounds, an uptime feed and a feed of the reference token.
abstract contract GuardedFixture is Fixture {
    uint256 internal constant GRACE = 3600;
    int256 internal constant AUD_MIN = AUD_PRICE / 5;
    int256 internal constant AUD_MAX = AUD_PRICE * 5;
    int256 internal constant USD_MIN = 0.98e8;
    int256 internal constant USD_MAX = 1.02e8;

    int256 internal constant UP = 0;
    int256 internal constant DOWN = 1;

    TestOracle internal sequencer;
    TestOracle internal usdOracle;
    RateReader internal guardedAud;
    RateReader internal guardedUsd;
    Pool internal guarded;

    function setUp() public virtual override {
        super.setUp();
        sequencer = new TestOracle("Sequencer", UP, address(this));
        sequencer.setRound(UP, NOW - GRACE - 1);
        usdOracle = new TestOracle("USDC / USD", 1e8, address(this));
        guardedAud = new RateReader(_guardedAudConfig());
        guardedUsd = new RateReader(_guardedUsdConfig());
        guarded = _createPool(aud, guardedAud, usd, guardedUsd);
        _fund(guarded, 1_000_000e6, 1_000_000e6);
    }

    function _guardedAudConfig() internal view returns (RateReader.Config memory config) {
        config = _readerConfigOf(address(aud), address(audOracle));
        (config.minAnswer, config.maxAnswer) = (AUD_MIN, AUD_MAX);
        (config.sequencerFeed, config.gracePeriod) = (address(sequencer), GRACE);
    }

    function _guardedUsdConfig() internal view returns (RateReader.Config memory config) {
        config = _readerConfigOf(address(usd), address(0));
        (config.referenceFeed, config.minAnswer, config.maxAnswer) = (address(usdOracle), USD_MIN, USD_MAX);
    }
}
