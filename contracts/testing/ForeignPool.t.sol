// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPool} from "../interfaces/IPool.sol";
import {IRateReader} from "../interfaces/IRateReader.sol";
import {Fixture} from "./Fixture.sol";
import {ForeignAssimilator} from "./ForeignAssimilator.sol";
import {ForeignPool} from "./ForeignPool.sol";
import {ForeignQuotes} from "./ForeignQuotes.sol";
import {TestOracle} from "./TestOracle.sol";
import {TestToken} from "./TestToken.sol";

contract ForeignPoolTest is Fixture {
    ForeignPool private foreign;
    ForeignAssimilator private audAssimilator;
    ForeignAssimilator private usdAssimilator;

    /// @dev Both sides are worth a million dollars.
    function setUp() public override {
        super.setUp();
        audOracle.updateAnswer(0.8e8);
        audAssimilator = new ForeignAssimilator(address(audOracle), address(aud));
        usdAssimilator =
            new ForeignAssimilator(address(new TestOracle("USD", 1e8, address(this))), address(usd));
        foreign = _create(0);
    }

    function test_in_the_flat_zone_a_swap_pays_the_oracle_price_less_the_fee() public view {
        _assertNear(_sell(100_000e6), 79_960e6, 1);
        _assertNear(_sell(437_500e6), 349_825e6, 1);
        _assertNear(foreign.viewOriginSwap(address(usd), address(aud), 350_000e6), 437_281_250_000, 2);
    }

    function test_beyond_the_flat_zone_the_price_worsens_up_to_the_halt() public view {
        // In parts of the oracle price: 0.9936 for 40 %, 0.9799 for 45 % and 0.9621 for 50 % of one side.
        _assertNear(_sell(500_000e6), 397_440e6, 40e6);
        _assertNear(_sell(562_500e6), 440_955e6, 45e6);
        _assertNear(_sell(625_000e6), 481_050e6, 50e6);
    }

    function test_past_the_halt_a_swap_reverts_with_a_string() public {
        _expectReason("Curve/upper-halt");
        _sell(700_000e6);
        _expectReason("Curve/lower-halt");
        foreign.viewOriginSwap(address(usd), address(aud), 560_000e6);
    }

    function test_beyond_the_halt_a_swap_that_does_not_increase_the_imbalance_succeeds() public {
        usd.mint(address(foreign), 3_000_000e6);
        _expectReason("Curve/lower-halt");
        foreign.viewOriginSwap(address(usd), address(aud), 1e6);
        vm.assertGe(_sell(1e6), 0.8e6);
    }

    function test_an_amount_that_does_not_fit_64_64_reverts_without_a_reason() public {
        vm.expectRevert("");
        _sell(1e30);
    }

    function test_an_exact_output_pays_its_fee_in_the_origin() public view {
        vm.assertEq(foreign.viewTargetSwap(address(aud), address(usd), 80e6), 100_050_000);
    }

    function test_a_swap_pays_up_to_two_units_less_than_its_view_and_its_minimum_counts() public {
        for (uint256 drift = 0; drift <= 2; drift++) {
            ForeignPool target = _create(drift);
            uint256 quoted = target.viewOriginSwap(address(aud), address(usd), 1000e6);
            _give(aud, 1000e6, address(target));
            vm.startPrank(trader);
            _expectReason("Curve/below-min-target-amount");
            target.originSwap(address(aud), address(usd), 1000e6, quoted - drift + 1, LATER);
            uint256 before = usd.balanceOf(trader);
            target.originSwap(address(aud), address(usd), 1000e6, quoted - drift, LATER);
            vm.assertEq(usd.balanceOf(trader) - before, quoted - drift);
            vm.stopPrank();
        }
    }

    function test_the_limits_of_the_caller_revert_with_strings() public {
        _give(aud, 1000e6, address(foreign));
        vm.startPrank(trader);
        _expectReason("Curve/above-max-origin-amount");
        foreign.targetSwap(address(aud), address(usd), 100e6, 80e6, LATER);
        _expectReason("Curve/tx-deadline-passed");
        foreign.originSwap(address(aud), address(usd), 1e6, 0, NOW);
        foreign.targetSwap(address(aud), address(usd), 100_050_000, 80e6, LATER);
        vm.stopPrank();
        vm.assertEq(usd.balanceOf(trader), 80e6);
    }

    function test_a_price_of_any_age_is_valid() public {
        uint256 quoted = _sell(1000e6);
        vm.warp(NOW + 365 days);
        vm.assertEq(_sell(1000e6), quoted);
    }

    function test_an_input_that_buys_nothing_does_not_revert() public {
        TestToken eur = new TestToken("EUR", "EUR", 2, address(this));
        ForeignAssimilator eurAssimilator =
            new ForeignAssimilator(address(new TestOracle("EUR", 1.0845e8, address(this))), address(eur));
        ForeignPool target = _createOf(eur, eurAssimilator, 0);
        eur.mint(address(target), 1_000_000e2);
        usd.mint(address(target), 1_084_500e6);
        vm.assertEq(target.viewOriginSwap(address(usd), address(eur), 10_000), 0);
    }

    function test_a_frozen_pool_allows_withdrawals_alone() public {
        foreign.setFrozen(true);
        bytes memory reason =
            abi.encodeWithSignature("Error(string)", "Curve/frozen-only-allowing-proportional-withdraw");
        vm.expectRevert(reason);
        _sell(1e6);
        vm.expectRevert(reason);
        foreign.viewDeposit(1e18);
        vm.expectRevert(reason);
        foreign.viewWithdraw(1e18);
        foreign.withdraw(1e18, LATER);
    }

    function test_in_an_emergency_only_views_work() public {
        foreign.setEmergency(true);
        _assertNear(_sell(100_000e6), 79_960e6, 1);
        _expectReason("Curve/emergency-only-allowing-emergency-proportional-withdraw");
        foreign.originSwap(address(aud), address(usd), 1e6, 0, LATER);
    }

    function test_a_deposit_keeps_the_proportion_of_the_reserves_and_a_withdrawal_returns_it() public {
        (uint256 lpAmount, uint256[] memory amounts) = foreign.viewDeposit(1000e18);
        vm.assertEq(amounts[0], 625e6);
        vm.assertEq(amounts[1], 500e6);
        aud.mint(address(this), amounts[0]);
        usd.mint(address(this), amounts[1]);
        aud.approve(address(foreign), amounts[0]);
        usd.approve(address(foreign), amounts[1]);
        foreign.deposit(1000e18, 0, 0, amounts[1], amounts[0], LATER);
        uint256[] memory back = foreign.viewWithdraw(lpAmount);
        _assertNear(back[0], amounts[0], 1);
        _assertNear(back[1], amounts[1], 1);
    }

    function test_the_views_return_its_parameters_and_our_extensions_do_not_exist() public {
        (uint256 alpha, uint256 beta, uint256 delta, uint256 epsilon, uint256 lambda) = foreign.viewCurve();
        vm.assertEq(abi.encode(alpha, beta, epsilon, lambda), abi.encode(0.5e18, 0.35e18, 0.0005e18, 0.3e18));
        _assertNear(delta, 0.5e18, 100);
        (bool hasLimit,) =
            address(foreign).call(abi.encodeCall(IPool.maxOrigin, (address(aud), address(usd))));
        (bool hasMaxAge,) = address(audAssimilator).call(abi.encodeCall(IRateReader.maxAge, ()));
        vm.assertEq(hasLimit || hasMaxAge, false);
    }

    function _create(uint256 drift) private returns (ForeignPool created) {
        created = _createOf(aud, audAssimilator, drift);
        aud.mint(address(this), 1_250_000e6);
        usd.mint(address(this), 1_000_000e6);
        aud.approve(address(created), 1_250_000e6);
        usd.approve(address(created), 1_000_000e6);
        created.deposit(2_000_000e18, 0, 0, 1_000_000e6, 1_250_000e6, LATER);
    }

    function _createOf(TestToken base, ForeignAssimilator baseAssimilator, uint256 drift)
        private
        returns (ForeignPool)
    {
        return new ForeignPool(
            ForeignQuotes.Config({
                name: "Foreign LP",
                assets: [address(base), address(usd)],
                assimilators: [address(baseAssimilator), address(usdAssimilator)],
                alpha: 0.5e18,
                beta: 0.35e18,
                feeAtHalt: 0.15e18,
                epsilon: 0.0005e18,
                lambda: 0.3e18,
                drift: drift
            })
        );
    }

    function _sell(uint256 amount) private view returns (uint256) {
        return foreign.viewOriginSwap(address(aud), address(usd), amount);
    }

    function _expectReason(string memory reason) private {
        vm.expectRevert(abi.encodeWithSignature("Error(string)", reason));
    }

    function _assertNear(uint256 actual, uint256 expected, uint256 tolerance) private pure {
        vm.assertLe(actual, expected + tolerance);
        vm.assertGe(actual + tolerance, expected);
    }
}
