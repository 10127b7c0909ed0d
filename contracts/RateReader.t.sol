// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAggregatorV3} from "./interfaces/IAggregatorV3.sol";
import {IRateErrors, IRateReader} from "./interfaces/IRateReader.sol";
import {RateReader} from "./RateReader.sol";
import {Fixture} from "./testing/Fixture.sol";
import {TestToken} from "./testing/TestToken.sol";

contract RateReaderTest is Fixture {
    function test_the_views_return_the_token_its_oracle_and_both_decimals() public view {
        vm.assertEq(audReader.token(), address(aud));
        vm.assertEq(audReader.oracle(), address(audOracle));
        vm.assertEq(audReader.maxAge(), MAX_AGE);
        vm.assertEq(audReader.oracleDecimals(), 8);
        vm.assertEq(audReader.tokenDecimals(), 6);
        vm.assertEq(audReader.getRate(), 0.6512e8);
    }

    function test_the_reference_token_has_no_oracle_and_costs_one_dollar_at_any_time() public {
        vm.warp(NOW + 365 days);
        vm.assertEq(usdReader.oracle(), address(0));
        vm.assertEq(usdReader.getRate(), 1e8);
    }

    function test_a_price_of_exactly_3600_seconds_is_fresh() public {
        vm.warp(NOW + 3600);
        vm.assertEq(audReader.getRate(), 0.6512e8);
    }

    function test_error_StalePrice_at_3601_seconds() public {
        vm.warp(NOW + 3601);
        _expectStale(NOW);
    }

    function test_error_StalePrice_when_never_updated_at_any_maximum_age() public {
        RateReader patient = _createPatient(type(uint256).max);
        audOracle.setRound(AUD_PRICE, 0);
        vm.expectRevert(abi.encodeWithSelector(IRateErrors.StalePrice.selector, audOracle, 0, type(uint256).max));
        patient.getRate();
    }

    function test_error_StalePrice_when_updated_in_the_future() public {
        audOracle.setRound(AUD_PRICE, NOW + 1);
        _expectStale(NOW + 1);
    }

    function test_error_InvalidPrice_for_zero_and_below_also_when_stale() public {
        audOracle.setRound(0, 0);
        _expectInvalid(0);
        audOracle.setRound(-1, 0);
        _expectInvalid(-1);
    }

    function test_each_reader_has_a_maximum_age_of_its_own() public {
        RateReader patient = _createPatient(86_400);
        vm.warp(NOW + 86_400);
        vm.assertEq(patient.getRate(), 0.6512e8);
    }

    function test_error_UnsupportedTokenDecimals_above_18() public {
        TestToken fine = new TestToken("Fine", "FINE", 18, address(this));
        TestToken finer = new TestToken("Finer", "FINER", 19, address(this));
        _createReader(address(fine), address(0));
        vm.expectRevert(abi.encodeWithSelector(IRateReader.UnsupportedTokenDecimals.selector, address(finer), 19));
        _createReader(address(finer), address(0));
    }

    function test_error_UnsupportedOracleDecimals_unless_8() public {
        // Any contract with decimals() will do: a token of 18.
        address oracle = address(new TestToken("Oracle", "ORACLE", 18, address(this)));
        vm.assertEq(uint256(IAggregatorV3(oracle).decimals()), 18);
        vm.expectRevert(abi.encodeWithSelector(IRateReader.UnsupportedOracleDecimals.selector, oracle, 18));
        _createReader(address(aud), oracle);
    }

    function testFuzz_a_price_is_valid_only_if_positive_and_within_the_maximum_age(int256 answer, uint256 updatedAt)
        public
    {
        updatedAt = _bound(updatedAt, NOW - 2 * MAX_AGE, NOW + MAX_AGE);
        audOracle.setRound(answer, updatedAt);
        if (answer <= 0) return _expectInvalid(answer);
        if (updatedAt > NOW || updatedAt < NOW - MAX_AGE) return _expectStale(updatedAt);
        vm.assertEq(audReader.getRate(), uint256(answer));
    }

    function _createPatient(uint256 maxAge) private returns (RateReader) {
        RateReader.Config memory config = _readerConfigOf(address(aud), address(audOracle));
        config.maxAge = maxAge;
        return new RateReader(config);
    }

    function _expectStale(uint256 updatedAt) private {
        vm.expectRevert(abi.encodeWithSelector(IRateErrors.StalePrice.selector, audOracle, updatedAt, MAX_AGE));
        audReader.getRate();
    }

    function _expectInvalid(int256 answer) private {
        vm.expectRevert(abi.encodeWithSelector(IRateErrors.InvalidPrice.selector, audOracle, answer));
        audReader.getRate();
    }
}
