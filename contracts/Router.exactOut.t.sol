// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IExactOutRouter} from "./interfaces/IExactOutRouter.sol";
import {IPool} from "./interfaces/IPool.sol";
import {IRouter} from "./interfaces/IRouter.sol";
import {Pool} from "./Pool.sol";
import {RateReader} from "./RateReader.sol";
import {FeeToken} from "./testing/FeeToken.sol";
import {ReentrantToken} from "./testing/ReentrantToken.sol";
import {RouterFixture} from "./testing/RouterFixture.sol";
import {TestOracle} from "./testing/TestOracle.sol";
import {TestToken} from "./testing/TestToken.sol";

contract RouterExactOutTest is RouterFixture {
    uint256 private constant MAX = type(uint256).max;
    address private constant RECIPIENT = address(0xB0B);

    function test_the_router_states_its_functions_by_ERC165() public view {
        bytes4 id = IExactOutRouter.originSwapTo.selector ^ IExactOutRouter.targetSwap.selector
            ^ IExactOutRouter.targetSwapTo.selector;
        vm.assertEq(bytes32(type(IExactOutRouter).interfaceId), bytes32(id));
        vm.assertEq(router.supportsInterface(id), true);
        vm.assertEq(router.supportsInterface(type(IERC165).interfaceId), true);
        vm.assertEq(router.supportsInterface(0xffffffff), false);
        vm.assertEq(router.supportsInterface(type(IRouter).interfaceId), false);
    }

    function testFuzz_a_direct_exact_output_is_paid_for_the_input_of_the_view(uint256 wanted, bool buysAud) public {
        (TestToken origin, TestToken target) = buysAud ? (usd, aud) : (aud, usd);
        _buyAndCheck(origin, target, _bound(wanted, 1, 300_000e6));
    }

    function testFuzz_an_exact_output_over_two_hops_is_paid_for_the_input_of_the_view(uint256 wanted, bool buysEur)
        public
    {
        (TestToken origin, TestToken target) = buysEur ? (aud, eur) : (eur, aud);
        _buyAndCheck(origin, target, _bound(wanted, 1, 200_000e6));
    }

    function test_a_recipient_gets_the_exact_output_and_the_caller_pays() public {
        uint256 cost = _cost(aud, eur, 100e6);
        _give(aud, cost, address(router));
        vm.prank(trader);
        vm.assertEq(router.targetSwapTo(address(usd), address(aud), address(eur), MAX, 100e6, RECIPIENT, LATER), cost);
        _assertPaidToRecipient(eur, 100e6);
    }

    function test_a_recipient_gets_the_output_of_an_exact_input_and_the_caller_pays() public {
        uint256 output = router.viewOriginSwap(address(usd), address(aud), address(eur), 100e6);
        _give(aud, 100e6, address(router));
        vm.prank(trader);
        uint256 paid =
            router.originSwapTo(address(usd), address(aud), address(eur), 100e6, output, RECIPIENT, LATER);
        vm.assertEq(paid, output);
        _assertPaidToRecipient(eur, output);
    }

    function test_error_BelowMinTarget_of_an_exact_input_for_a_recipient() public {
        _give(usd, 1000e6, address(router));
        vm.expectRevert(abi.encodeWithSelector(IPool.BelowMinTarget.selector, 1_534_858_721, 1_534_858_722));
        vm.prank(trader);
        router.originSwapTo(address(usd), address(usd), address(aud), 1000e6, 1_534_858_722, RECIPIENT, LATER);
    }

    function test_error_InvalidRecipient_for_zero_the_router_and_the_pools_of_the_route() public {
        address[4] memory recipients = [address(0), address(router), address(pool), address(eurPool)];
        for (uint256 i = 0; i < recipients.length; i++) {
            bytes memory reason = abi.encodeWithSelector(IExactOutRouter.InvalidRecipient.selector, recipients[i]);
            vm.expectRevert(reason);
            router.targetSwapTo(address(usd), address(aud), address(eur), MAX, 1e6, recipients[i], LATER);
            vm.expectRevert(reason);
            router.originSwapTo(address(usd), address(aud), address(eur), 1e6, 0, recipients[i], LATER);
        }
        vm.expectRevert(abi.encodeWithSelector(IExactOutRouter.InvalidRecipient.selector, address(0)));
        router.targetSwapTo(address(usd), address(usd), address(aud), MAX, 1e6, address(0), LATER);
    }

    function test_error_AboveMaxInput_one_unit_over_the_maximum_of_the_caller_on_either_route() public {
        _expectAboveMax(usd, aud, 1000e6);
        _expectAboveMax(aud, eur, 1000e6);
    }

    function test_error_AboveMaxOrigin_past_the_halt_of_either_pool_whatever_the_maximum() public {
        uint256 limit = eurPool.maxOrigin(address(usd), address(eur));
        uint256 most = eurPool.viewOriginSwap(address(usd), address(eur), limit);
        // A raw unit of euros costs more than one raw unit of dollars.
        vm.expectRevert(abi.encodeWithSelector(IPool.AboveMaxOrigin.selector, limit + 2, limit));
        router.targetSwap(address(usd), address(aud), address(eur), 0, most + 1, LATER);
        limit = pool.maxOrigin(address(usd), address(aud));
        most = pool.viewOriginSwap(address(usd), address(aud), limit);
        vm.expectRevert(abi.encodeWithSelector(IPool.AboveMaxOrigin.selector, limit + 1, limit));
        router.targetSwap(address(usd), address(usd), address(aud), 0, most + 1, LATER);
    }

    function test_error_DeadlinePassed_at_the_deadline_itself_and_before_any_other_cause() public {
        bytes memory reason = abi.encodeWithSelector(IPool.DeadlinePassed.selector, NOW);
        vm.expectRevert(reason);
        router.targetSwap(address(usd), address(aud), address(aud), 0, 0, NOW);
        vm.expectRevert(reason);
        router.targetSwapTo(address(usd), address(aud), address(aud), 0, 0, address(0), NOW);
        _give(usd, 1e6, address(router));
        vm.expectRevert(reason);
        vm.prank(trader);
        router.originSwapTo(address(usd), address(usd), address(aud), 1e6, 0, RECIPIENT, NOW);
    }

    function test_error_NoPath_before_the_recipient() public {
        bytes memory reason = abi.encodeWithSelector(IRouter.NoPath.selector, address(aud), address(aud));
        vm.expectRevert(reason);
        router.targetSwap(address(usd), address(aud), address(aud), MAX, 1e6, LATER);
        vm.expectRevert(reason);
        router.targetSwapTo(address(usd), address(aud), address(aud), MAX, 1e6, address(0), LATER);
        vm.expectRevert(reason);
        router.originSwapTo(address(usd), address(aud), address(aud), 1e6, 0, address(0), LATER);
    }

    function test_error_ZeroAmount_for_an_exact_output_of_zero() public {
        vm.expectRevert(abi.encodeWithSelector(IPool.ZeroAmount.selector));
        router.targetSwap(address(usd), address(aud), address(eur), MAX, 0, LATER);
    }

    function test_an_exact_output_needs_the_allowance_of_its_input_alone() public {
        uint256 cost = _cost(aud, eur, 100e6);
        _give(aud, cost - 1, address(router));
        vm.expectRevert(
            abi.encodeWithSelector(
                IERC20Errors.ERC20InsufficientAllowance.selector, address(router), cost - 1, cost
            )
        );
        vm.prank(trader);
        router.targetSwap(address(usd), address(aud), address(eur), MAX, 100e6, LATER);
    }

    function test_a_token_with_a_fee_on_transfer_fails_as_input_and_as_output() public {
        FeeToken fee = new FeeToken(6, address(this));
        Pool feePool = _addDollarPool(fee);
        fee.mint(address(feePool), 1_000_000e6);
        usd.mint(address(feePool), 1_000_000e6);
        _give(fee, 10e6, address(router));
        _give(usd, 10e6, address(router));
        bytes4 lacking = IERC20Errors.ERC20InsufficientBalance.selector;
        uint256 cost = _cost(fee, usd, 1e6);
        vm.expectRevert(abi.encodeWithSelector(lacking, address(router), cost - 1, cost));
        vm.prank(trader);
        router.targetSwap(address(usd), address(fee), address(usd), MAX, 1e6, LATER);
        vm.expectRevert(abi.encodeWithSelector(lacking, address(router), 1e6 - 1, 1e6));
        vm.prank(trader);
        router.targetSwap(address(usd), address(usd), address(fee), MAX, 1e6, LATER);
    }

    function test_a_hostile_token_cannot_reenter_the_router() public {
        ReentrantToken hostile = new ReentrantToken(6, address(this));
        _fund(_addDollarPool(hostile), 1_000_000e6, 1_000_000e6);
        _give(hostile, 1000e6, address(router));
        (address quote, address target) = (address(usd), address(aud));
        bytes[3] memory attacks = [
            abi.encodeCall(IExactOutRouter.targetSwap, (quote, quote, target, MAX, 1, LATER)),
            abi.encodeCall(IExactOutRouter.targetSwapTo, (quote, quote, target, MAX, 1, RECIPIENT, LATER)),
            abi.encodeCall(IExactOutRouter.originSwapTo, (quote, quote, target, 1, 0, RECIPIENT, LATER))
        ];
        for (uint256 i = 0; i < attacks.length; i++) {
            hostile.arm(address(router), attacks[i]);
            vm.prank(trader);
            router.targetSwap(quote, address(hostile), target, MAX, 10e6, LATER);
            vm.assertEq(hostile.succeeded(), false);
            vm.assertEq(
                hostile.outcome(),
                abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
            );
        }
    }

    function test_a_token_that_moves_its_price_during_its_transfer_can_only_make_the_swap_fail() public {
        ReentrantToken hostile = new ReentrantToken(6, address(this));
        TestOracle oracle = new TestOracle("HOSTILE", 1e8, address(hostile));
        Pool hostilePool =
            _createPool(hostile, _createReader(address(hostile), address(oracle)), usd, usdReader);
        factory.addPool(address(hostilePool));
        _fund(hostilePool, 1_000_000e6, 1_000_000e6);
        _give(hostile, 1000e6, address(router));
        uint256 cost = _cost(hostile, usd, 10e6);
        hostile.arm(address(oracle), abi.encodeCall(TestOracle.setRound, (2e8, NOW)));
        vm.expectRevert(
            abi.encodeWithSelector(
                IExactOutRouter.InputMismatch.selector, address(hostilePool), cost, 5_002_502
            )
        );
        vm.prank(trader);
        router.targetSwap(address(usd), address(hostile), address(usd), MAX, 10e6, LATER);
        hostile.arm(address(oracle), abi.encodeCall(TestOracle.setRound, (5e7, NOW)));
        vm.expectRevert(abi.encodeWithSelector(IPool.AboveMaxInput.selector, 20_010_006, cost));
        vm.prank(trader);
        router.targetSwap(address(usd), address(hostile), address(usd), MAX, 10e6, LATER);
    }

    function _buyAndCheck(TestToken origin, TestToken target, uint256 wanted) private {
        uint256 cost = _cost(origin, target, wanted);
        // More than the input is approved and allowed: the router takes only the input.
        _give(origin, 2 * cost, address(router));
        vm.prank(trader);
        vm.assertEq(
            router.targetSwap(address(usd), address(origin), address(target), 2 * cost, wanted, LATER), cost
        );
        vm.assertEq(target.balanceOf(trader), wanted);
        vm.assertEq(origin.balanceOf(trader), cost);
        _assertHoldsNothing();
    }

    function _expectAboveMax(TestToken origin, TestToken target, uint256 wanted) private {
        uint256 cost = _cost(origin, target, wanted);
        _give(origin, cost, address(router));
        bytes memory reason = abi.encodeWithSelector(IPool.AboveMaxInput.selector, cost, cost - 1);
        vm.expectRevert(reason);
        vm.prank(trader);
        router.targetSwap(address(usd), address(origin), address(target), cost - 1, wanted, LATER);
        vm.expectRevert(reason);
        vm.prank(trader);
        router.targetSwapTo(address(usd), address(origin), address(target), cost - 1, wanted, RECIPIENT, LATER);
        vm.prank(trader);
        router.targetSwap(address(usd), address(origin), address(target), cost, wanted, LATER);
        vm.assertEq(target.balanceOf(trader), wanted);
    }

    function _cost(TestToken origin, TestToken target, uint256 wanted) private view returns (uint256) {
        return router.viewTargetSwap(address(usd), address(origin), address(target), wanted);
    }

    function _assertPaidToRecipient(TestToken target, uint256 amount) private view {
        vm.assertEq(target.balanceOf(RECIPIENT), amount);
        vm.assertEq(target.balanceOf(trader), 0);
        vm.assertEq(aud.balanceOf(trader), 0);
        _assertHoldsNothing();
    }

    /// @dev Adds a pool of a token that is worth a dollar.
    function _addDollarPool(TestToken base) private returns (Pool added) {
        added = _createPool(base, _createReader(address(base), address(0)), usd, usdReader);
        factory.addPool(address(added));
    }
}
