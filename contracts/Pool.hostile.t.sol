// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IPool} from "./interfaces/IPool.sol";
import {Pool} from "./Pool.sol";
import {FeeToken} from "./testing/FeeToken.sol";
import {Fixture} from "./testing/Fixture.sol";
import {ReentrantToken} from "./testing/ReentrantToken.sol";
import {TestToken} from "./testing/TestToken.sol";

contract PoolHostileTest is Fixture {
    uint256 private constant MAX = type(uint256).max;

    ReentrantToken private hostile;
    Pool private target;

    function setUp() public override {
        super.setUp();
        hostile = new ReentrantToken(6, address(this));
        target = _createPoolOf(hostile);
        _fund(target, 1_000_000e6, 1_000_000e6);
        _give(hostile, 1_000_000e6, address(target));
        _give(usd, 1_000_000e6, address(target));
        vm.prank(trader);
        target.deposit(1000e18, 0, 0, MAX, MAX, LATER);
    }

    function test_a_hostile_token_cannot_reenter_a_swap() public {
        bytes[] memory attacks = _attacks();
        for (uint256 i = 0; i < attacks.length; i++) {
            hostile.arm(address(target), attacks[i]);
            vm.prank(trader);
            target.originSwap(address(hostile), address(usd), 10e6, 0, LATER);
            _assertBlocked();
            hostile.arm(address(target), attacks[i]);
            vm.prank(trader);
            target.targetSwap(address(usd), address(hostile), MAX, 10e6, LATER);
            _assertBlocked();
        }
    }

    function test_a_hostile_token_cannot_reenter_a_deposit_or_a_withdrawal() public {
        bytes[] memory attacks = _attacks();
        for (uint256 i = 0; i < attacks.length; i++) {
            hostile.arm(address(target), attacks[i]);
            vm.prank(trader);
            target.deposit(10e18, 0, 0, MAX, MAX, LATER);
            _assertBlocked();
            hostile.arm(address(target), attacks[i]);
            vm.prank(trader);
            target.withdraw(1e12, LATER);
            _assertBlocked();
            hostile.arm(address(target), attacks[i]);
            vm.prank(trader);
            target.depositWithMin(10e18, 0, MAX, MAX, LATER);
            _assertBlocked();
            hostile.arm(address(target), attacks[i]);
            vm.prank(trader);
            target.withdrawTo(1e12, address(this), LATER);
            _assertBlocked();
        }
    }

    function test_a_hostile_token_cannot_reenter_the_first_deposit() public {
        bytes[] memory attacks = _attacks();
        for (uint256 i = 0; i < attacks.length; i++) {
            Pool empty = _createPoolOf(hostile);
            _give(hostile, 100e6, address(empty));
            _give(usd, 100e6, address(empty));
            hostile.arm(address(empty), attacks[i]);
            vm.prank(trader);
            empty.deposit(10e18, 0, 0, MAX, MAX, LATER);
            _assertBlocked();
            vm.assertEq(empty.totalSupply(), 10e18);
        }
    }

    function test_lp_tokens_are_minted_after_the_pool_has_received_the_second_token() public {
        // The hostile token is the quote, which the pool takes last.
        Pool last = _createPool(usd, usdReader, hostile, _createReader(address(hostile), address(0)));
        _give(hostile, 100e6, address(last));
        _give(usd, 100e6, address(last));
        uint256 expected = 0;
        for (uint256 i = 0; i < 2; i++) {
            hostile.arm(address(last), abi.encodeCall(last.totalSupply, ()));
            vm.prank(trader);
            last.deposit(10e18, 0, 0, MAX, MAX, LATER);
            vm.assertEq(abi.decode(hostile.outcome(), (uint256)), expected);
            expected = last.totalSupply();
        }
    }

    function testFuzz_tokens_sent_to_the_pool_during_a_deposit_are_a_donation(uint256 value, uint256 amount) public {
        value = _bound(value, 1e15, 1e24);
        amount = _bound(amount, 0, 1e12);
        (uint256 quoted, uint256[] memory amounts) = target.viewDeposit(value);
        uint256[] memory before = target.viewWithdraw(1e17);
        _give(hostile, amounts[0], address(target));
        _give(usd, amounts[1], address(target));
        usd.mint(address(hostile), amount);
        hostile.arm(address(usd), abi.encodeCall(usd.transfer, (address(target), amount)));
        vm.prank(trader);
        (uint256 lpAmount, uint256[] memory paid) = target.depositWithMin(value, quoted, MAX, MAX, LATER);
        vm.assertEq(hostile.succeeded(), true);
        vm.assertEq(lpAmount, quoted);
        vm.assertEq(abi.encode(paid), abi.encode(amounts));
        // The depositor gets back no more than it and the token have paid, and no share of others shrinks.
        uint256[] memory back = target.viewWithdraw(lpAmount);
        vm.assertLe(back[0], paid[0]);
        vm.assertLe(back[1], paid[1] + amount);
        uint256[] memory shares = target.viewWithdraw(1e17);
        vm.assertGe(shares[0], before[0]);
        vm.assertGe(shares[1], before[1]);
    }

    function test_the_reentrancy_guard_is_released_after_a_call() public {
        vm.prank(trader);
        target.originSwap(address(hostile), address(usd), 10e6, 0, LATER);
        target.viewOriginSwap(address(hostile), address(usd), 10e6);
        vm.prank(trader);
        target.originSwap(address(hostile), address(usd), 10e6, 0, LATER);
    }

    function test_error_TransferMismatch_when_a_swap_receives_less_than_was_sent() public {
        FeeToken feeToken = new FeeToken(6, address(this));
        Pool short = _createPoolOf(feeToken);
        // Without a first deposit the pool has reserves but no LP tokens, which swaps do not need.
        feeToken.mint(address(short), 1_000_000e6);
        usd.mint(address(short), 1_000_000e6);
        _give(feeToken, 10e6, address(short));
        vm.expectRevert(abi.encodeWithSelector(IPool.TransferMismatch.selector, address(feeToken), 10e6, 10e6 - 1));
        vm.prank(trader);
        short.originSwap(address(feeToken), address(usd), 10e6, 0, LATER);
    }

    function test_error_TransferMismatch_when_a_deposit_receives_less_than_was_sent() public {
        FeeToken feeToken = new FeeToken(6, address(this));
        Pool short = _createPoolOf(feeToken);
        _give(feeToken, 10e6, address(short));
        _give(usd, 10e6, address(short));
        vm.expectRevert(abi.encodeWithSelector(IPool.TransferMismatch.selector, address(feeToken), 10e6, 10e6 - 1));
        vm.prank(trader);
        short.deposit(20e18, 0, 0, MAX, MAX, LATER);
    }

    function _createPoolOf(TestToken base) private returns (Pool) {
        // Priced as a reference token: at one dollar.
        return _createPool(base, _createReader(address(base), address(0)), usd, usdReader);
    }

    /// @dev Every function that transfers tokens, and every view that reads their balances.
    function _attacks() private view returns (bytes[] memory attacks) {
        (address base, address quote) = (address(hostile), address(usd));
        attacks = new bytes[](12);
        attacks[0] = abi.encodeCall(IPool.originSwap, (base, quote, 1e6, 0, LATER));
        attacks[1] = abi.encodeCall(IPool.targetSwap, (base, quote, MAX, 1e6, LATER));
        attacks[2] = abi.encodeCall(IPool.deposit, (1e18, 0, 0, MAX, MAX, LATER));
        attacks[3] = abi.encodeCall(IPool.withdraw, (1e6, LATER));
        attacks[4] = abi.encodeCall(IPool.viewOriginSwap, (base, quote, 1e6));
        attacks[5] = abi.encodeCall(IPool.viewTargetSwap, (base, quote, 1e6));
        attacks[6] = abi.encodeCall(IPool.viewDeposit, (1e18));
        attacks[7] = abi.encodeCall(IPool.viewWithdraw, (1e6));
        attacks[8] = abi.encodeCall(IPool.maxOrigin, (base, quote));
        attacks[9] = abi.encodeCall(IPool.liquidity, ());
        attacks[10] = abi.encodeCall(IPool.depositWithMin, (1e18, 0, MAX, MAX, LATER));
        attacks[11] = abi.encodeCall(IPool.withdrawTo, (1e6, address(this), LATER));
    }

    function _assertBlocked() private view {
        vm.assertEq(hostile.succeeded(), false);
        vm.assertEq(
            hostile.outcome(), abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
        );
    }
}
