// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRateErrors, IRateReader} from "./interfaces/IRateReader.sol";
import {RateReader} from "./RateReader.sol";
import {GuardedFixture} from "./testing/GuardedFixture.sol";

contract RateReaderGuardsTest is GuardedFixture {
    function test_the_views_return_the_bounds_and_the_optional_feeds() public view {
        vm.assertEq(guardedAud.minAnswer(), AUD_MIN);
        vm.assertEq(guardedAud.maxAnswer(), AUD_MAX);
        vm.assertEq(guardedAud.sequencerFeed(), address(sequencer));
        vm.assertEq(guardedAud.gracePeriod(), GRACE);
        vm.assertEq(guardedAud.referenceFeed(), address(0));
        vm.assertEq(guardedUsd.referenceFeed(), address(usdOracle));
        vm.assertEq(guardedUsd.sequencerFeed(), address(0));
    }

    function test_a_reference_token_with_a_feed_has_no_oracle_and_costs_exactly_one_dollar_within_its_band() public {
        vm.assertEq(guardedUsd.oracle(), address(0));
        usdOracle.updateAnswer(USD_MIN);
        vm.assertEq(guardedUsd.getRate(), 1e8);
        usdOracle.updateAnswer(USD_MAX);
        vm.assertEq(guardedUsd.getRate(), 1e8);
    }

    function test_error_ReferenceDepegged_outside_the_band() public {
        usdOracle.updateAnswer(USD_MIN - 1);
        _expectDepegged(USD_MIN - 1);
        usdOracle.updateAnswer(USD_MAX + 1);
        _expectDepegged(USD_MAX + 1);
    }

    function test_the_answer_of_a_reference_token_must_be_positive_and_fresh() public {
        usdOracle.updateAnswer(0);
        _expectRevert(abi.encodeWithSelector(IRateErrors.InvalidPrice.selector, usdOracle, 0), guardedUsd);
        usdOracle.setRound(1e8, NOW - MAX_AGE - 1);
        _expectRevert(
            abi.encodeWithSelector(IRateErrors.StalePrice.selector, usdOracle, NOW - MAX_AGE - 1, MAX_AGE), guardedUsd
        );
    }

    function test_a_price_at_a_bound_counts() public {
        audOracle.updateAnswer(AUD_MIN);
        vm.assertEq(guardedAud.getRate(), uint256(AUD_MIN));
        audOracle.updateAnswer(AUD_MAX);
        vm.assertEq(guardedAud.getRate(), uint256(AUD_MAX));
    }

    function test_error_PriceOutOfBounds_for_ten_times_the_price_and_a_tenth() public {
        audOracle.updateAnswer(AUD_PRICE * 10);
        _expectOutOfBounds(AUD_PRICE * 10);
        audOracle.updateAnswer(AUD_PRICE / 10);
        _expectOutOfBounds(AUD_PRICE / 10);
    }

    function test_a_stale_answer_is_stale_even_if_it_is_out_of_bounds() public {
        audOracle.setRound(AUD_PRICE * 10, 1);
        _expectRevert(abi.encodeWithSelector(IRateErrors.StalePrice.selector, audOracle, 1, MAX_AGE), guardedAud);
    }

    function test_error_SequencerDown_while_it_is_down_also_if_the_price_is_invalid() public {
        audOracle.updateAnswer(0);
        sequencer.setRound(DOWN, 1);
        _expectSequencerDown(DOWN, 1);
    }

    function test_error_SequencerDown_until_the_grace_period_has_passed() public {
        sequencer.setRound(UP, NOW);
        audOracle.updateAnswer(AUD_PRICE);
        vm.warp(NOW + GRACE);
        _expectSequencerDown(UP, NOW);
        vm.warp(NOW + GRACE + 1);
        audOracle.updateAnswer(AUD_PRICE);
        vm.assertEq(guardedAud.getRate(), 0.6512e8);
    }

    function test_error_SequencerDown_for_a_feed_without_an_answer_or_with_one_from_the_future() public {
        sequencer.setRound(UP, 0);
        _expectSequencerDown(UP, 0);
        sequencer.setRound(UP, NOW + 1);
        _expectSequencerDown(UP, NOW + 1);
    }

    function testFuzz_a_price_counts_only_within_its_bounds(int256 answer) public {
        audOracle.updateAnswer(answer);
        if (answer <= 0) {
            bytes memory invalid = abi.encodeWithSelector(IRateErrors.InvalidPrice.selector, audOracle, answer);
            return _expectRevert(invalid, guardedAud);
        }
        if (answer < AUD_MIN || answer > AUD_MAX) return _expectOutOfBounds(answer);
        vm.assertEq(guardedAud.getRate(), uint256(answer));
    }

    function testFuzz_a_price_near_its_bounds_counts_only_within_them(uint256 seed) public {
        int256 answer = int256(_bound(seed, 1, uint256(AUD_MAX) * 2));
        testFuzz_a_price_counts_only_within_its_bounds(answer);
    }

    function testFuzz_the_reference_costs_one_dollar_within_its_band_and_nothing_else(uint256 seed) public {
        int256 answer = int256(_bound(seed, 0.9e8, 1.1e8));
        usdOracle.updateAnswer(answer);
        if (answer < USD_MIN || answer > USD_MAX) return _expectDepegged(answer);
        vm.assertEq(guardedUsd.getRate(), 1e8);
    }

    function testFuzz_no_price_counts_unless_the_sequencer_is_up_for_more_than_the_grace_period(
        int256 answer,
        uint256 startedAt
    ) public {
        if (answer % 2 == 0) answer = UP;
        startedAt = _bound(startedAt, NOW - 2 * GRACE, NOW + GRACE);
        sequencer.setRound(answer, startedAt);
        if (answer != UP || startedAt + GRACE >= NOW) return _expectSequencerDown(answer, startedAt);
        vm.assertEq(guardedAud.getRate(), 0.6512e8);
    }

    function testFuzz_error_InvalidBounds_unless_positive_and_in_order(int256 min, int256 max) public {
        RateReader.Config memory config = _guardedAudConfig();
        (config.minAnswer, config.maxAnswer) = (min, max);
        if (min <= 0 || min > max) {
            vm.expectRevert(abi.encodeWithSelector(IRateReader.InvalidBounds.selector, min, max));
        }
        new RateReader(config);
    }

    function test_error_InvalidBounds_for_a_band_that_excludes_one_dollar() public {
        RateReader.Config memory config = _guardedUsdConfig();
        (config.minAnswer, config.maxAnswer) = (1e8, 1e8);
        new RateReader(config);
        (config.minAnswer, config.maxAnswer) = (1e8 + 1, 2e8);
        vm.expectRevert(abi.encodeWithSelector(IRateReader.InvalidBounds.selector, 1e8 + 1, 2e8));
        new RateReader(config);
        (config.minAnswer, config.maxAnswer) = (1, 1e8 - 1);
        vm.expectRevert(abi.encodeWithSelector(IRateReader.InvalidBounds.selector, 1, 1e8 - 1));
        new RateReader(config);
    }

    function test_error_AmbiguousFeed_for_a_token_with_a_price_and_a_peg() public {
        RateReader.Config memory config = _guardedAudConfig();
        config.referenceFeed = address(usdOracle);
        vm.expectRevert(abi.encodeWithSelector(IRateReader.AmbiguousFeed.selector, audOracle, usdOracle));
        new RateReader(config);
    }

    function test_error_UnsupportedOracleDecimals_of_a_reference_feed() public {
        RateReader.Config memory config = _guardedUsdConfig();
        config.referenceFeed = address(usd);
        vm.expectRevert(abi.encodeWithSelector(IRateReader.UnsupportedOracleDecimals.selector, usd, 6));
        new RateReader(config);
    }

    function test_error_UnsupportedSequencerFeed_for_a_price_feed_while_a_feed_that_is_down_is_accepted() public {
        sequencer.setRound(DOWN, NOW);
        RateReader.Config memory config = _guardedAudConfig();
        new RateReader(config);
        config.sequencerFeed = address(audOracle);
        vm.expectRevert(
            abi.encodeWithSelector(IRateReader.UnsupportedSequencerFeed.selector, audOracle, AUD_PRICE)
        );
        new RateReader(config);
    }

    function _expectOutOfBounds(int256 answer) private {
        _expectRevert(
            abi.encodeWithSelector(IRateErrors.PriceOutOfBounds.selector, audOracle, answer, AUD_MIN, AUD_MAX), guardedAud
        );
    }

    function _expectDepegged(int256 answer) private {
        _expectRevert(
            abi.encodeWithSelector(IRateErrors.ReferenceDepegged.selector, usdOracle, answer, USD_MIN, USD_MAX),
            guardedUsd
        );
    }

    function _expectSequencerDown(int256 answer, uint256 startedAt) private {
        _expectRevert(
            abi.encodeWithSelector(IRateErrors.SequencerDown.selector, sequencer, answer, startedAt, GRACE), guardedAud
        );
    }

    function _expectRevert(bytes memory reason, RateReader reader) private {
        vm.expectRevert(reason);
        reader.getRate();
    }
}
