// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IPool} from "./interfaces/IPool.sol";
import {IRouter} from "./interfaces/IRouter.sol";
import {Pool} from "./Pool.sol";
import {RateReader} from "./RateReader.sol";
import {ReentrantToken} from "./testing/ReentrantToken.sol";
import {RouterFixture} from "./testing/RouterFixture.sol";
import {TestToken} from "./testing/TestToken.sol";

contract RouterTest is RouterFixture {
    function test_the_selectors_match_the_family() public view {
        vm.assertEq(bytes32(IRouter.viewOriginSwap.selector), bytes32(bytes4(0x12801ad6)));
        vm.assertEq(bytes32(IRouter.originSwap.selector), bytes32(bytes4(0x9d73b325)));
        vm.assertEq(bytes32(IRouter.viewTargetSwap.selector), bytes32(bytes4(0xd1df8ccd)));
        vm.assertEq(router.factory(), address(factory));
    }

    function test_a_pair_with_a_pool_converts_through_it_alone_in_both_directions() public view {
        vm.assertEq(_quote(usd, aud, 1000e6), 1_534_858_721);
        vm.assertEq(_quote(aud, usd, 1000e6), 650_874_400);
        vm.assertEq(router.viewTargetSwap(address(usd), address(usd), address(aud), 1000e6), 651_525_764);
    }

    function test_a_direct_swap_pays_the_caller_the_quoted_output() public {
        vm.assertEq(_swap(usd, aud, 1000e6, 1_534_858_721), 1_534_858_721);
        vm.assertEq(aud.balanceOf(trader), 1_534_858_721);
        _assertHoldsNothing();
    }

    function testFuzz_two_hops_pay_the_output_of_the_composed_views(uint256 amount) public {
        amount = _bound(amount, 100, 200_000e6);
        uint256 dollars = pool.viewOriginSwap(address(aud), address(usd), amount);
        uint256 euros = eurPool.viewOriginSwap(address(usd), address(eur), dollars);
        vm.assertEq(_quote(aud, eur, amount), euros);
        vm.assertEq(_swap(aud, eur, amount, euros), euros);
        vm.assertEq(eur.balanceOf(trader), euros);
        vm.assertEq(aud.balanceOf(trader) + usd.balanceOf(trader), 0);
        _assertHoldsNothing();
    }

    function testFuzz_the_input_for_an_exact_output_over_two_hops_suffices(uint256 wanted) public view {
        wanted = _bound(wanted, 1, 100_000e6);
        uint256 dollars = eurPool.viewTargetSwap(address(usd), address(eur), wanted);
        uint256 cost = router.viewTargetSwap(address(usd), address(aud), address(eur), wanted);
        vm.assertEq(cost, pool.viewTargetSwap(address(aud), address(usd), dollars));
        vm.assertGe(_quote(aud, eur, cost), wanted);
    }

    function test_error_BelowMinTarget_of_the_last_hop() public {
        uint256 euros = _quote(aud, eur, 1000e6);
        _give(aud, 1000e6, address(router));
        vm.expectRevert(abi.encodeWithSelector(IPool.BelowMinTarget.selector, euros, euros + 1));
        vm.prank(trader);
        router.originSwap(address(usd), address(aud), address(eur), 1000e6, euros + 1, LATER);
    }

    function test_the_minimum_does_not_apply_to_the_hop_before_the_last() public {
        // The output in raw AUD is larger than the intermediate amount in raw USD.
        uint256 dollars = _quote(eur, usd, 1000e6);
        uint256 audAmount = _quote(eur, aud, 1000e6);
        vm.assertGe(audAmount, dollars + 1);
        vm.assertEq(_swap(eur, aud, 1000e6, audAmount), audAmount);
    }

    function test_error_DeadlinePassed_at_the_deadline_itself() public {
        _give(aud, 1000e6, address(router));
        vm.expectRevert(abi.encodeWithSelector(IPool.DeadlinePassed.selector, NOW));
        vm.prank(trader);
        router.originSwap(address(usd), address(aud), address(eur), 1000e6, 0, NOW);
    }

    function test_the_revert_of_a_pool_is_passed_on() public {
        eurPool.setFrozen(true);
        vm.expectRevert(abi.encodeWithSelector(IPool.Frozen.selector));
        _quote(aud, eur, 1000e6);
    }

    function test_error_NoPath_without_a_pool_on_each_hop() public {
        (TestToken gbp,,) = _createToken("GBP", 6, 1.27e8);
        _expectNoPath(address(usd), address(gbp), address(usd));
        _expectNoPath(address(usd), address(gbp), address(aud));
        _expectNoPath(address(usd), address(aud), address(gbp));
        _expectNoPath(address(gbp), address(aud), address(eur));
    }

    function test_error_NoPath_from_a_token_to_itself() public {
        _expectNoPath(address(usd), address(aud), address(aud));
    }

    function test_a_hostile_token_cannot_reenter() public {
        ReentrantToken hostile = new ReentrantToken(6, address(this));
        Pool hostilePool =
            _createPool(hostile, _createReader(address(hostile), address(0)), usd, usdReader);
        _fund(hostilePool, 1_000_000e6, 1_000_000e6);
        factory.addPool(address(hostilePool));
        _give(hostile, 1000e6, address(router));
        hostile.arm(
            address(router), abi.encodeCall(IRouter.originSwap, (address(usd), address(usd), address(aud), 1, 0, LATER))
        );
        vm.prank(trader);
        router.originSwap(address(usd), address(hostile), address(aud), 1000e6, 0, LATER);
        vm.assertEq(hostile.succeeded(), false);
        vm.assertEq(
            hostile.outcome(), abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
        );
    }

    function _quote(TestToken origin, TestToken target, uint256 amount) private view returns (uint256) {
        return router.viewOriginSwap(address(usd), address(origin), address(target), amount);
    }

    function _swap(TestToken origin, TestToken target, uint256 amount, uint256 minimum) private returns (uint256) {
        _give(origin, amount, address(router));
        vm.prank(trader);
        return router.originSwap(address(usd), address(origin), address(target), amount, minimum, LATER);
    }

    function _expectNoPath(address quote, address origin, address target) private {
        bytes memory reason = abi.encodeWithSelector(IRouter.NoPath.selector, origin, target);
        vm.expectRevert(reason);
        router.viewOriginSwap(quote, origin, target, 1000e6);
        vm.expectRevert(reason);
        router.viewTargetSwap(quote, origin, target, 1000e6);
        vm.expectRevert(reason);
        router.originSwap(quote, origin, target, 1000e6, 0, LATER);
    }
}
