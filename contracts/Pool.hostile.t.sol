// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IPool} from "./interfaces/IPool.sol";
import {Pool} from "./Pool.sol";
import {RateReader} from "./RateReader.sol";
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
        }
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
        return _createPool(base, new RateReader(address(base), address(0), MAX_AGE), usd, usdReader);
    }

    /// @dev Every function that transfers tokens, and every view that reads their balances.
    function _attacks() private view returns (bytes[] memory attacks) {
        (address base, address quote) = (address(hostile), address(usd));
        attacks = new bytes[](10);
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
    }

    function _assertBlocked() private view {
        vm.assertEq(hostile.succeeded(), false);
        vm.assertEq(
            hostile.outcome(), abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
        );
    }
}
