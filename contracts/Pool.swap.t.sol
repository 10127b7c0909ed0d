// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPool} from "./interfaces/IPool.sol";
import {IRateErrors} from "./interfaces/IRateReader.sol";
import {Pool} from "./Pool.sol";
import {RateReader} from "./RateReader.sol";
import {Fixture} from "./testing/Fixture.sol";
import {TestOracle} from "./testing/TestOracle.sol";
import {TestToken} from "./testing/TestToken.sol";

contract PoolSwapTest is Fixture {
    address private constant FOREIGN = address(0xBAD);

    function test_originSwap_transfers_exactly_the_quoted_amounts() public {
        _give(usd, 1000e6, address(pool));
        vm.assertEq(pool.viewOriginSwap(address(usd), address(aud), 1000e6), 1_534_858_721);
        vm.expectEmit(address(pool));
        emit IPool.Trade(trader, address(usd), address(aud), 1000e6, 1_534_858_721, 0);
        vm.prank(trader);
        vm.assertEq(pool.originSwap(address(usd), address(aud), 1000e6, 1_534_858_721, LATER), 1_534_858_721);
        vm.assertEq(usd.balanceOf(trader), 0);
        vm.assertEq(aud.balanceOf(trader), 1_534_858_721);
        vm.assertEq(usd.balanceOf(address(pool)), 1_001_000e6);
        vm.assertEq(aud.balanceOf(address(pool)), 1_000_000e6 - 1_534_858_721);
    }

    function test_originSwap_works_in_the_other_direction() public {
        _give(aud, 1000e6, address(pool));
        vm.prank(trader);
        pool.originSwap(address(aud), address(usd), 1000e6, 0, LATER);
        vm.assertEq(usd.balanceOf(trader), 650_874_400);
    }

    function test_targetSwap_transfers_exactly_the_quoted_amounts() public {
        _give(usd, 1000e6, address(pool));
        vm.assertEq(pool.viewTargetSwap(address(usd), address(aud), 1000e6), 651_525_764);
        vm.expectEmit(address(pool));
        emit IPool.Trade(trader, address(usd), address(aud), 651_525_764, 1000e6, 0);
        vm.prank(trader);
        vm.assertEq(pool.targetSwap(address(usd), address(aud), 651_525_764, 1000e6, LATER), 651_525_764);
        vm.assertEq(usd.balanceOf(trader), 1000e6 - 651_525_764);
        vm.assertEq(aud.balanceOf(trader), 1000e6);
    }

    function test_error_DeadlinePassed_at_the_deadline_itself_and_before_any_other_cause() public {
        pool.setFrozen(true);
        vm.expectRevert(abi.encodeWithSelector(IPool.DeadlinePassed.selector, NOW));
        pool.originSwap(FOREIGN, FOREIGN, 0, 0, NOW);
        vm.expectRevert(abi.encodeWithSelector(IPool.DeadlinePassed.selector, NOW));
        pool.targetSwap(FOREIGN, FOREIGN, 0, 0, NOW);
    }

    function test_error_Frozen_before_unsupported_tokens() public {
        pool.setFrozen(true);
        _expectRefusal(FOREIGN, FOREIGN, 0, abi.encodeWithSelector(IPool.Frozen.selector));
    }

    function test_error_UnsupportedToken_names_the_origin_then_the_target() public {
        _expectRefusal(FOREIGN, address(1), 0, abi.encodeWithSelector(IPool.UnsupportedToken.selector, FOREIGN));
        _expectRefusal(address(usd), FOREIGN, 0, abi.encodeWithSelector(IPool.UnsupportedToken.selector, FOREIGN));
    }

    function test_error_SameToken_before_a_zero_amount() public {
        _expectRefusal(address(usd), address(usd), 0, abi.encodeWithSelector(IPool.SameToken.selector, address(usd)));
    }

    function test_error_ZeroAmount_before_a_stale_price() public {
        vm.warp(NOW + MAX_AGE + 1);
        _expectRefusal(address(usd), address(aud), 0, abi.encodeWithSelector(IPool.ZeroAmount.selector));
    }

    function test_error_StalePrice_before_the_limit_and_only_one_second_over_the_hour() public {
        vm.warp(NOW + MAX_AGE);
        vm.assertEq(pool.viewOriginSwap(address(usd), address(aud), 1000e6), 1_534_858_721);
        vm.warp(NOW + MAX_AGE + 1);
        bytes memory stale =
            abi.encodeWithSelector(IRateErrors.StalePrice.selector, address(audOracle), NOW, MAX_AGE);
        _expectRefusal(address(usd), address(aud), 1e30, stale);
        _expectRefusal(address(aud), address(usd), 1e30, stale);
    }

    function test_the_price_of_the_origin_is_checked_before_that_of_the_target() public {
        (TestToken eur, TestOracle eurOracle, RateReader eurReader) = _createToken("EUR", 6, 1.0845e8);
        pool = _createPool(eur, eurReader, aud, audReader);
        eurOracle.setRound(-1, NOW);
        audOracle.setRound(0, NOW);
        bytes4 invalid = IRateErrors.InvalidPrice.selector;
        _expectRefusal(address(eur), address(aud), 1, abi.encodeWithSelector(invalid, address(eurOracle), -1));
        _expectRefusal(address(aud), address(eur), 1, abi.encodeWithSelector(invalid, address(audOracle), 0));
    }

    function test_error_AboveMaxOrigin_one_unit_over_the_limit() public {
        uint256 limit = pool.maxOrigin(address(usd), address(aud));
        pool.viewOriginSwap(address(usd), address(aud), limit);
        bytes memory reason = abi.encodeWithSelector(IPool.AboveMaxOrigin.selector, limit + 1, limit);
        _expectRefusal(address(usd), address(aud), limit + 1, reason);
    }

    function test_an_overflowing_amount_reverts_instead_of_wrapping() public {
        uint256 limit = pool.maxOrigin(address(usd), address(aud));
        vm.expectRevert(abi.encodeWithSelector(IPool.AboveMaxOrigin.selector, type(uint256).max, limit));
        pool.viewOriginSwap(address(usd), address(aud), type(uint256).max);
        // Its input does not fit 256 bits, so AboveMaxOrigin cannot report it.
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x11));
        pool.viewTargetSwap(address(usd), address(aud), type(uint256).max);
    }

    function test_error_AboveMaxOrigin_compares_the_input_of_an_exact_output() public {
        uint256 limit = pool.maxOrigin(address(usd), address(aud));
        uint256 most = pool.viewOriginSwap(address(usd), address(aud), limit);
        vm.assertLe(pool.viewTargetSwap(address(usd), address(aud), most), limit);
        vm.expectRevert(abi.encodeWithSelector(IPool.AboveMaxOrigin.selector, limit + 1, limit));
        pool.viewTargetSwap(address(usd), address(aud), most + 1);
    }

    function test_error_AboveMaxOrigin_before_an_output_of_zero() public {
        aud.mint(address(pool), 100_000_000e6);
        vm.expectRevert(abi.encodeWithSelector(IPool.AboveMaxOrigin.selector, 1, 0));
        pool.viewOriginSwap(address(aud), address(usd), 1);
    }

    function test_error_ZeroAmount_when_the_output_rounds_to_zero() public {
        vm.expectRevert(abi.encodeWithSelector(IPool.ZeroAmount.selector));
        pool.viewOriginSwap(address(usd), address(aud), 1);
    }

    function test_error_BelowMinTarget_one_unit_short() public {
        vm.expectRevert(abi.encodeWithSelector(IPool.BelowMinTarget.selector, 1_534_858_721, 1_534_858_722));
        pool.originSwap(address(usd), address(aud), 1000e6, 1_534_858_722, LATER);
    }

    function test_error_AboveMaxInput_when_an_exact_output_costs_more_than_the_caller_allows() public {
        vm.expectRevert(abi.encodeWithSelector(IPool.AboveMaxInput.selector, 651_525_764, 651_525_763));
        pool.targetSwap(address(usd), address(aud), 651_525_763, 1000e6, LATER);
    }

    function test_error_AboveMaxOrigin_before_the_maximum_of_the_caller() public {
        uint256 limit = pool.maxOrigin(address(usd), address(aud));
        uint256 most = pool.viewOriginSwap(address(usd), address(aud), limit);
        vm.expectRevert(abi.encodeWithSelector(IPool.AboveMaxOrigin.selector, limit + 1, limit));
        pool.targetSwap(address(usd), address(aud), 0, most + 1, LATER);
    }

    function test_a_swap_against_the_imbalance_has_the_larger_limit() public {
        aud.mint(address(pool), 100_000_000e6);
        vm.assertEq(pool.maxOrigin(address(aud), address(usd)), 0);
        vm.assertGe(pool.maxOrigin(address(usd), address(aud)), 1_000_000e6);
    }

    function testFuzz_swaps_never_lower_the_pools_value(uint256 decimals, uint256 price, uint256[4] memory amounts)
        public
    {
        price = _bound(price, 1e4, 1e12);
        (Pool target, TestToken base, TestToken quote) = _createAnyPool(decimals, price);
        uint256 value = _valueOf(target, price, 1e8);
        for (uint256 i = 0; i < amounts.length; i++) {
            // Both directions, exact input and exact output, in varying order.
            bool sellBase = amounts[i] % 2 == 0;
            (TestToken origin, TestToken bought) = sellBase ? (base, quote) : (quote, base);
            _swapWithin(target, origin, bought, amounts[i] / 4, amounts[i] / 2 % 2 == 0);
            uint256 newValue = _valueOf(target, price, 1e8);
            vm.assertGe(newValue, value);
            value = newValue;
        }
    }

    function testFuzz_no_swap_passes_the_halt(uint256 decimals, uint256 price, uint256 amount, bool exactIn) public {
        price = _bound(price, 1e4, 1e12);
        (Pool target, TestToken base, TestToken quote) = _createAnyPool(decimals, price);
        _swapWithin(target, base, quote, amount, exactIn);
        uint256 left = quote.balanceOf(address(target)) * 1e8 * 10 ** (18 - quote.decimals());
        vm.assertGe(left * 2 * 1e18, _valueOf(target, price, 1e8) * (1e18 - ALPHA));
    }

    function testFuzz_a_round_trip_never_gains(uint256 decimals, uint256 price, uint256 amount) public {
        price = _bound(price, 1e4, 1e12);
        (Pool target, TestToken base, TestToken quote) = _createAnyPool(decimals, price);
        uint256 reserve = base.balanceOf(address(target));
        uint256 bought = _swapWithin(target, base, quote, amount, true);
        uint256 paid = base.balanceOf(address(target)) - reserve;
        try target.viewOriginSwap(address(quote), address(base), bought) returns (uint256 back) {
            vm.assertLe(back, paid);
        } catch (bytes memory reason) {
            // Only dust cannot be swapped back.
            vm.assertEq(reason, abi.encodeWithSelector(IPool.ZeroAmount.selector));
        }
    }

    function _expectRefusal(address origin, address target, uint256 amount, bytes memory reason) private {
        vm.expectRevert(reason);
        pool.viewOriginSwap(origin, target, amount);
        vm.expectRevert(reason);
        pool.originSwap(origin, target, amount, 0, block.timestamp + 1);
        // The limit of an exact output reports another amount, so it has its own tests.
        if (bytes4(reason) == IPool.AboveMaxOrigin.selector) return;
        vm.expectRevert(reason);
        pool.viewTargetSwap(origin, target, amount);
        vm.expectRevert(reason);
        pool.targetSwap(origin, target, type(uint256).max, amount, block.timestamp + 1);
    }

    /// @dev A pool with a million dollars of each token, of 2, 6 or 18 decimals in all nine combinations.
    function _createAnyPool(uint256 decimals, uint256 price)
        private
        returns (Pool target, TestToken base, TestToken quote)
    {
        uint8[3] memory choices = [2, 6, 18];
        RateReader baseReader;
        (base,, baseReader) = _createToken("BASE", choices[decimals % 3], int256(price));
        quote = new TestToken("QUOTE", "QUOTE", choices[decimals / 3 % 3], address(this));
        target = _createPool(base, baseReader, quote, _createReader(address(quote), address(0)));
        _fund(target, 1_000_000 * 10 ** base.decimals() * 1e8 / price, 1_000_000 * 10 ** quote.decimals());
    }

    /// @dev Swaps any amount within the limit, and checks it against the view. Returns the amount received.
    function _swapWithin(Pool target, TestToken origin, TestToken bought, uint256 seed, bool exactIn)
        private
        returns (uint256 received)
    {
        uint256 limit = target.maxOrigin(address(origin), address(bought));
        // An earlier swap of the same test has reached the halt.
        if (limit == 0) return 0;
        uint256 amount = _bound(seed, 1, limit);
        _give(origin, amount, address(target));
        try target.viewOriginSwap(address(origin), address(bought), amount) returns (uint256 quoted) {
            uint256 before = bought.balanceOf(trader);
            uint256 cost = target.viewTargetSwap(address(origin), address(bought), quoted);
            vm.assertLe(cost, amount);
            vm.prank(trader);
            if (exactIn) target.originSwap(address(origin), address(bought), amount, quoted, LATER);
            else target.targetSwap(address(origin), address(bought), cost, quoted, LATER);
            received = bought.balanceOf(trader) - before;
            vm.assertEq(received, quoted);
        } catch (bytes memory reason) {
            vm.assertEq(reason, abi.encodeWithSelector(IPool.ZeroAmount.selector));
        }
    }
}
