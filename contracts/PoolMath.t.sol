// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Asset, PoolMath, WAD} from "./PoolMath.sol";
import {Test} from "./testing/Test.sol";

contract PoolMathTest is Test {
    uint256 private constant ALPHA = 5e17;
    uint256 private constant EPSILON = 5e14;
    uint256 private constant MILLION = 1_000_000e6;

    /// @dev The fuzzed inputs of a pair, before they are bounded.
    struct Seed {
        uint256 originReserve;
        uint256 targetReserve;
        uint256 originPrice;
        uint256 targetPrice;
        uint256 decimals;
    }

    function test_1000_usd_buy_1534_858721_aud() public pure {
        uint256 gross = PoolMath.grossOut(1000e6, _usd(), _aud());
        vm.assertEq(gross, 1_535_626_535);
        vm.assertEq(PoolMath.feeOn(gross, EPSILON), 767_814);
        vm.assertEq(PoolMath.quoteExactIn(1000e6, _usd(), _aud(), EPSILON), 1_534_858_721);
    }

    function test_1000_aud_buy_650_874400_usd() public pure {
        uint256 gross = PoolMath.grossOut(1000e6, _aud(), _usd());
        vm.assertEq(gross, 651_200_000);
        vm.assertEq(PoolMath.feeOn(gross, EPSILON), 325_600);
        vm.assertEq(PoolMath.quoteExactIn(1000e6, _aud(), _usd(), EPSILON), 650_874_400);
    }

    function test_one_aud_buys_0_600160_eur() public pure {
        Asset memory eur = Asset({reserve: MILLION, price: 1.0845e8, unit: 1e6});
        uint256 gross = PoolMath.grossOut(1e6, _aud(), eur);
        vm.assertEq(gross, 600_461);
        vm.assertEq(PoolMath.feeOn(gross, EPSILON), 301);
        vm.assertEq(PoolMath.quoteExactIn(1e6, _aud(), eur, EPSILON), 600_160);
    }

    function test_the_fee_takes_all_of_a_single_unit() public pure {
        vm.assertEq(PoolMath.grossOut(1, _usd(), _aud()), 1);
        vm.assertEq(PoolMath.quoteExactIn(1, _usd(), _aud(), EPSILON), 0);
    }

    function test_exactly_1000_aud_cost_651_525764_usd() public pure {
        vm.assertEq(PoolMath.grossFor(1000e6, EPSILON), 1_000_500_251);
        vm.assertEq(PoolMath.quoteExactOut(1000e6, _usd(), _aud(), EPSILON), 651_525_764);
    }

    function test_a_pool_with_a_million_of_each_accepts_at_most_238400_usd() public pure {
        vm.assertEq(PoolMath.maxOrigin(_usd(), _aud(), ALPHA), 238_400e6);
    }

    function test_a_side_below_its_halt_pays_nothing() public pure {
        Asset memory aud = Asset({reserve: MILLION / 10, price: 0.6512e8, unit: 1e6});
        vm.assertEq(PoolMath.maxOrigin(_usd(), aud, ALPHA), 0);
    }

    function test_a_fractional_halt_is_rounded_up() public pure {
        // The smallest values: 3 in total. Three quarters of one must stay, so one stays.
        Asset memory origin = Asset({reserve: 1, price: 1, unit: 1e18});
        Asset memory target = Asset({reserve: 2, price: 1, unit: 1e18});
        vm.assertEq(PoolMath.maxOrigin(origin, target, ALPHA), 1);
    }

    function test_an_empty_pool_accepts_nothing() public pure {
        Asset memory usd = Asset({reserve: 0, price: 1e8, unit: 1e6});
        Asset memory aud = Asset({reserve: 0, price: 0.6512e8, unit: 1e6});
        vm.assertEq(PoolMath.maxOrigin(usd, aud, ALPHA), 0);
    }

    function testFuzz_exact_out_returns_the_smallest_sufficient_input(Seed memory seed, uint256 amount, uint256 fee)
        public
        pure
    {
        (Asset memory origin, Asset memory target) = _pairOf(seed);
        uint256 epsilon = _bound(fee, 0, 1e16);
        uint256 wanted = _bound(amount, 1, 1e30);
        uint256 paid = PoolMath.quoteExactOut(wanted, origin, target, epsilon);
        vm.assertGe(PoolMath.quoteExactIn(paid, origin, target, epsilon), wanted);
        vm.assertLe(PoolMath.quoteExactIn(paid - 1, origin, target, epsilon), wanted - 1);
    }

    function testFuzz_exact_out_of_the_output_of_an_input_costs_no_more_than_the_input(Seed memory seed, uint256 amount)
        public
        pure
    {
        (Asset memory origin, Asset memory target) = _pairOf(seed);
        uint256 paid = _bound(amount, 1, 1e30);
        uint256 bought = PoolMath.quoteExactIn(paid, origin, target, EPSILON);
        vm.assertLe(PoolMath.quoteExactOut(bought, origin, target, EPSILON), paid);
    }

    function testFuzz_a_round_trip_never_gains(Seed memory seed, uint256 amount, uint256 fee) public pure {
        (Asset memory origin, Asset memory target) = _pairOf(seed);
        uint256 epsilon = _bound(fee, 0, 1e16);
        uint256 paid = _bound(amount, 0, 1e30);
        uint256 bought = PoolMath.quoteExactIn(paid, origin, target, epsilon);
        vm.assertLe(PoolMath.quoteExactIn(bought, target, origin, epsilon), paid);
    }

    function testFuzz_splitting_an_input_never_buys_more(Seed memory seed, uint256 first, uint256 second) public pure {
        (Asset memory origin, Asset memory target) = _pairOf(seed);
        first = _bound(first, 0, 1e30);
        second = _bound(second, 0, 1e30);
        uint256 parts = PoolMath.quoteExactIn(first, origin, target, EPSILON)
            + PoolMath.quoteExactIn(second, origin, target, EPSILON);
        vm.assertLe(parts, PoolMath.quoteExactIn(first + second, origin, target, EPSILON));
    }

    function testFuzz_an_output_is_never_worth_more_than_its_input(Seed memory seed, uint256 amount) public pure {
        (Asset memory origin, Asset memory target) = _pairOf(seed);
        uint256 paid = _bound(amount, 0, 1e30);
        uint256 bought = PoolMath.quoteExactIn(paid, origin, target, 0);
        vm.assertLe(bought * target.price * (WAD / target.unit), paid * origin.price * (WAD / origin.unit));
    }

    function testFuzz_the_limit_is_the_largest_input_that_keeps_the_halt(Seed memory seed, uint256 part) public pure {
        (Asset memory origin, Asset memory target) = _pairOf(seed);
        uint256 alpha = _bound(part, 1, WAD - 1);
        uint256 limit = PoolMath.maxOrigin(origin, target, alpha);
        uint256 originScale = origin.price * (WAD / origin.unit);
        uint256 targetValue = target.reserve * target.price * (WAD / target.unit);
        uint256 total = origin.reserve * originScale + targetValue;
        // The value that must stay, times 2e18. The products have fewer than 250 bits.
        uint256 floorValue = total * (WAD - alpha);
        if (limit > 0) vm.assertGe((targetValue - limit * originScale) * 2 * WAD, floorValue);
        uint256 above = (limit + 1) * originScale;
        if (targetValue > above) vm.assertLe((targetValue - above) * 2 * WAD + 1, floorValue);
    }

    function testFuzz_deposit_and_withdrawal_never_gain(
        uint256 value,
        uint256 base,
        uint256 quote,
        uint256 supply,
        uint256 decimals
    ) public pure {
        uint256[3] memory units = [uint256(1e2), 1e6, 1e18];
        base = _bound(base, 1, 1e30);
        quote = _bound(quote, 1, 1e30);
        supply = _bound(supply, 1e6, 1e36);
        uint256 total = PoolMath.poolValue(quote, units[decimals % 3]);
        value = _bound(value, 1, 1e36);
        uint256 basePaid = PoolMath.depositShare(value, base, total);
        uint256 quotePaid = PoolMath.depositShare(value, quote, total);
        uint256 lpAmount = PoolMath.lpFor(value, supply, total);
        vm.assertLe(PoolMath.withdrawShare(lpAmount, base + basePaid, supply + lpAmount), basePaid);
        vm.assertLe(PoolMath.withdrawShare(lpAmount, quote + quotePaid, supply + lpAmount), quotePaid);
    }

    function _usd() private pure returns (Asset memory) {
        return Asset({reserve: MILLION, price: 1e8, unit: 1e6});
    }

    function _aud() private pure returns (Asset memory) {
        return Asset({reserve: MILLION, price: 0.6512e8, unit: 1e6});
    }

    /// @dev Decimals of 2, 6 and 18 in all nine combinations, prices from 0.0001 to 10,000 dollars.
    function _pairOf(Seed memory seed) private pure returns (Asset memory origin, Asset memory target) {
        uint256[3] memory units = [uint256(1e2), 1e6, 1e18];
        origin.unit = units[seed.decimals % 3];
        target.unit = units[seed.decimals / 3 % 3];
        origin.price = _bound(seed.originPrice, 1e4, 1e12);
        target.price = _bound(seed.targetPrice, 1e4, 1e12);
        origin.reserve = _bound(seed.originReserve, 0, 1e10 * origin.unit);
        target.reserve = _bound(seed.targetReserve, 0, 1e10 * target.unit);
    }
}
