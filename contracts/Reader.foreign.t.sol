// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Reader} from "./Reader.sol";
import {ForeignFixture} from "./testing/ForeignFixture.sol";
import {ForeignOracle} from "./testing/ForeignOracle.sol";
import {ForeignPool} from "./testing/ForeignPool.sol";
import {TestOracle} from "./testing/TestOracle.sol";

/// @dev The same call reads third-party pools.
contract ReaderForeignTest is ForeignFixture {
    Reader private reader;
    TestOracle private usdOracle;
    ForeignPool private foreign;

    function setUp() public override {
        super.setUp();
        reader = new Reader();
        usdOracle = new TestOracle("USD", 0.9987e8, address(this));
        foreign = _create(address(audOracle));
        aud.mint(address(foreign), 5e6);
        usd.mint(address(foreign), 3e6);
    }

    function test_reserves_and_parameters_match_the_foreign_pools_views() public view {
        Reader.PoolState memory state = _stateOf(foreign);
        vm.assertEq(state.base, address(aud));
        vm.assertEq(state.quote, address(usd));
        vm.assertEq(state.baseReserve, 5e6);
        vm.assertEq(state.quoteReserve, 3e6);
        vm.assertEq(abi.encode(state.alpha, state.beta), abi.encode(0.5e18, 0.35e18));
        vm.assertEq(abi.encode(state.epsilon, state.lambda), abi.encode(0.0015e18, 0.3e18));
        vm.assertEq(state.frozen, false);
    }

    function test_the_oracle_of_the_reference_token_is_read_without_a_maximum_age() public {
        vm.warp(NOW + 7200);
        Reader.PriceState memory price = _stateOf(foreign).quotePrice;
        vm.assertEq(price.oracle, address(usdOracle));
        vm.assertEq(price.answer, int256(0.9987e8));
        vm.assertEq(price.updatedAt, NOW);
        vm.assertEq(price.maxAge, type(uint256).max);
    }

    function test_a_pool_in_an_emergency_is_frozen_because_its_swaps_revert() public {
        foreign.setEmergency(true);
        vm.assertEq(_stateOf(foreign).frozen, true);
        foreign.setEmergency(false);
        foreign.setFrozen(true);
        vm.assertEq(_stateOf(foreign).frozen, true);
    }

    function test_prices_of_feeds_with_other_decimals_are_scaled_to_eight() public {
        vm.assertEq(_answerOf(18, 0.6512e18), int256(0.6512e8));
        vm.assertEq(_answerOf(2, 65), int256(0.65e8));
        vm.assertEq(_answerOf(18, -0.6512e18), int256(-0.6512e8));
        vm.assertEq(_answerOf(60, type(int256).max), type(int256).max / 1e52);
    }

    function test_implausible_decimals_yield_no_price_and_do_not_revert() public {
        vm.assertEq(_answerOf(61, 1), 0);
        vm.assertEq(_answerOf(255, type(int256).max), 0);
        _answerOf(0, type(int256).max);
    }

    function _answerOf(uint8 decimals, int256 answer) private returns (int256) {
        return _stateOf(_create(address(new ForeignOracle(decimals, answer)))).basePrice.answer;
    }

    function _stateOf(ForeignPool target) private view returns (Reader.PoolState memory) {
        address[] memory pools = new address[](1);
        pools[0] = address(target);
        (,, Reader.PoolState[] memory states) = reader.poolStates(pools);
        return states[0];
    }

    function _create(address baseOracle) private returns (ForeignPool) {
        return new ForeignPool(_configOf(baseOracle, address(usdOracle)));
    }
}
