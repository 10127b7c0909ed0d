// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAggregatorV3} from "./interfaces/IAggregatorV3.sol";
import {IRateErrors, IRateReader} from "./interfaces/IRateReader.sol";
import {Pool} from "./Pool.sol";
import {RateReader} from "./RateReader.sol";
import {GuardedFixture} from "./testing/GuardedFixture.sol";

/// @dev A feed whose rounds a test sets one by one. Its ids have a phase, as behind a proxy that changes its aggregator.
contract PhasedOracle is IAggregatorV3 {
    enum History {
        Rounds,
        Reverts,
        Nothing
    }

    uint8 public constant decimals = 8;
    string public constant description = "Phased / USD";
    History public history;
    uint80 private _roundId;
    mapping(uint80 => int256) private _answers;

    function setRound(uint80 id, int256 answer) external {
        _roundId = id;
        _answers[id] = answer;
    }

    function setHistory(History value) external {
        history = value;
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (_roundId, _answers[_roundId], block.timestamp, block.timestamp, _roundId);
    }

    function getRoundData(uint80 id) external view returns (uint80, int256, uint256, uint256, uint80) {
        require(history != History.Reverts, "No data present");
        if (history == History.Nothing) {
            assembly ("memory-safe") {
                return(0, 0)
            }
        }
        bool isThere = _answers[id] != 0;
        return (id, _answers[id], 0, isThere ? block.timestamp : 0, id);
    }
}

contract RateReaderStepTest is GuardedFixture {
    uint256 private constant STEP = 0.1e18;

    RateReader private stepped;
    Pool private steppedPool;

    function setUp() public override {
        super.setUp();
        stepped = _createStepped(address(audOracle));
        steppedPool = _createPool(aud, stepped, usd, guardedUsd);
        _fund(steppedPool, 1_000_000e14 / uint256(AUD_PRICE), 1_000_000e6);
    }

    function test_a_step_of_exactly_the_largest_counts_and_one_unit_more_does_not() public {
        vm.assertEq(stepped.maxStep(), STEP);
        int256[2] memory limits = [AUD_PRICE + AUD_PRICE / 10, AUD_PRICE - AUD_PRICE / 10];
        for (uint256 i = 0; i < 2; i++) {
            audOracle.updateAnswer(limits[i]);
            vm.assertEq(stepped.getRate(), uint256(limits[i]));
            audOracle.updateAnswer(AUD_PRICE);
            audOracle.updateAnswer(AUD_PRICE);
            int256 beyond = i == 0 ? limits[i] + 1 : limits[i] - 1;
            audOracle.updateAnswer(beyond);
            _expectTooLarge(stepped, address(audOracle), beyond, AUD_PRICE);
            audOracle.updateAnswer(AUD_PRICE);
            audOracle.updateAnswer(AUD_PRICE);
        }
    }

    /// @dev Such as after a weekend or an outage.
    function test_the_next_round_confirms_a_large_step_after_any_time_so_that_no_pool_stops_for_ever() public {
        vm.warp(NOW + 3 days);
        sequencer.setRound(UP, NOW);
        int256 opening = AUD_PRICE * 2;
        audOracle.updateAnswer(opening);
        _expectTooLarge(stepped, address(audOracle), opening, AUD_PRICE);
        audOracle.updateAnswer(opening + 1);
        vm.assertEq(stepped.getRate(), uint256(opening) + 1);
    }

    function test_the_round_after_a_wrong_one_is_refused_too_and_the_next_right_one_counts() public {
        audOracle.updateAnswer(AUD_PRICE * 2);
        audOracle.updateAnswer(AUD_PRICE);
        _expectTooLarge(stepped, address(audOracle), AUD_PRICE, AUD_PRICE * 2);
        audOracle.updateAnswer(AUD_PRICE);
        vm.assertEq(stepped.getRate(), uint256(AUD_PRICE));
    }

    function test_a_swap_and_its_view_refuse_a_large_step_and_a_withdrawal_does_not() public {
        int256 wrong = AUD_PRICE * 173 / 100;
        audOracle.updateAnswer(wrong);
        bytes memory reason =
            abi.encodeWithSelector(IRateErrors.PriceStepTooLarge.selector, audOracle, wrong, AUD_PRICE, STEP);
        vm.expectRevert(reason);
        steppedPool.viewOriginSwap(address(aud), address(usd), 1e6);
        _give(aud, 1e6, address(steppedPool));
        vm.expectRevert(reason);
        vm.prank(trader);
        steppedPool.originSwap(address(aud), address(usd), 1e6, 0, LATER);
        steppedPool.withdraw(0.5e18, LATER);
    }

    function testFuzz_one_wrong_round_costs_a_balanced_pool_at_most_one_fortieth(uint256 seed, bool paysAud) public {
        uint256 first = _valueOf(steppedPool, uint256(AUD_PRICE), 1e8);
        int256 wrong = int256(_bound(seed, uint256(AUD_PRICE) * 9 / 10, uint256(AUD_PRICE) * 11 / 10));
        audOracle.updateAnswer(wrong);
        (address origin, address target) = paysAud ? (address(aud), address(usd)) : (address(usd), address(aud));
        uint256 most = steppedPool.maxOrigin(origin, target);
        _give(paysAud ? aud : usd, most, address(steppedPool));
        vm.prank(trader);
        steppedPool.originSwap(origin, target, most, 0, LATER);
        vm.assertGe(_valueOf(steppedPool, uint256(AUD_PRICE), 1e8), first * 39 / 40);
    }

    function test_a_round_without_a_predecessor_counts() public {
        PhasedOracle oracle = new PhasedOracle();
        RateReader reader = _createStepped(address(oracle));
        uint80[2] memory ids = [uint80(0), uint80(1 << 64) + 1];
        for (uint256 i = 0; i < ids.length; i++) {
            oracle.setRound(ids[i], AUD_PRICE * int256(i + 1));
            vm.assertEq(reader.getRate(), uint256(AUD_PRICE) * (i + 1));
        }
        oracle.setRound(ids[1] + 1, AUD_PRICE);
        _expectTooLarge(reader, address(oracle), AUD_PRICE, AUD_PRICE * 2);
        oracle.setHistory(PhasedOracle.History.Reverts);
        vm.assertEq(reader.getRate(), uint256(AUD_PRICE));
        oracle.setHistory(PhasedOracle.History.Nothing);
        vm.assertEq(reader.getRate(), uint256(AUD_PRICE));
    }

    function testFuzz_a_price_counts_only_within_the_step_from_any_earlier_answer(int256 earlier, uint256 seed) public {
        int256 answer = int256(_bound(seed, uint256(AUD_MIN), uint256(AUD_MAX)));
        audOracle.updateAnswer(earlier);
        audOracle.updateAnswer(answer);
        if (earlier <= 0) {
            vm.assertEq(stepped.getRate(), uint256(answer));
            return;
        }
        uint256 distance = earlier > answer ? uint256(earlier - answer) : uint256(answer - earlier);
        if (distance > uint256(earlier) / 10) return _expectTooLarge(stepped, address(audOracle), answer, earlier);
        vm.assertEq(stepped.getRate(), uint256(answer));
    }

    function test_error_InvalidStep_of_one_and_above() public {
        RateReader.Config memory config = _guardedAudConfig();
        config.maxStep = 1e18 - 1;
        new RateReader(config);
        config.maxStep = 1e18;
        vm.expectRevert(abi.encodeWithSelector(IRateReader.InvalidStep.selector, 1e18));
        new RateReader(config);
    }

    function _createStepped(address oracle) private returns (RateReader) {
        RateReader.Config memory config = _guardedAudConfig();
        (config.oracle, config.maxStep) = (oracle, STEP);
        return new RateReader(config);
    }

    function _expectTooLarge(RateReader reader, address oracle, int256 answer, int256 previous) private {
        vm.expectRevert(
            abi.encodeWithSelector(IRateErrors.PriceStepTooLarge.selector, oracle, answer, previous, STEP)
        );
        reader.getRate();
    }
}
