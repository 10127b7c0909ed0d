// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IPool} from "./interfaces/IPool.sol";
import {IRateErrors} from "./interfaces/IRateReader.sol";
import {Pool} from "./Pool.sol";
import {Fixture} from "./testing/Fixture.sol";

contract PoolLiquidityTest is Fixture {
    address private constant BURN_ADDRESS = 0x000000000000000000000000000000000000dEaD;
    uint256 private constant MAX = type(uint256).max;

    Pool private empty;

    function setUp() public override {
        super.setUp();
        empty = _createPool(aud, audReader, usd, usdReader);
    }

    function test_the_first_deposit_pays_half_of_its_value_in_each_token_and_locks_a_million_wei() public {
        (uint256 lpAmount, uint256[] memory amounts) = empty.viewDeposit(2_000_000e18);
        vm.assertEq(amounts[0], 1_535_626_535_627);
        vm.assertEq(amounts[1], 1_000_000e6);
        vm.assertEq(lpAmount, 2_000_000e18 - 1e6);
        _deposit(empty, 2_000_000e18);
        vm.assertEq(empty.balanceOf(trader), lpAmount);
        vm.assertEq(empty.balanceOf(BURN_ADDRESS), 1e6);
        vm.assertEq(empty.totalSupply(), 2_000_000e18);
        vm.assertEq(aud.balanceOf(address(empty)), amounts[0]);
        vm.assertEq(usd.balanceOf(address(empty)), amounts[1]);
    }

    function test_error_ZeroAmount_when_the_first_deposit_would_only_fill_the_lock() public {
        vm.expectRevert(abi.encodeWithSelector(IPool.ZeroAmount.selector));
        empty.viewDeposit(1e6);
        (uint256 lpAmount,) = empty.viewDeposit(1e6 + 1);
        vm.assertEq(lpAmount, 1);
    }

    function test_only_the_first_deposit_needs_a_fresh_price() public {
        vm.warp(NOW + MAX_AGE + 1);
        pool.viewDeposit(1000e18);
        vm.expectRevert(abi.encodeWithSelector(IRateErrors.StalePrice.selector, address(audOracle), NOW, MAX_AGE));
        empty.viewDeposit(1000e18);
    }

    function test_a_later_deposit_keeps_the_proportion_of_the_reserves_not_of_the_prices() public view {
        (uint256 lpAmount, uint256[] memory amounts) = pool.viewDeposit(1000e18);
        vm.assertEq(amounts[0], 500e6);
        vm.assertEq(amounts[1], 500e6);
        vm.assertEq(lpAmount, 1000e18 * pool.totalSupply() / 2_000_000e18);
    }

    function test_error_ZeroAmount_when_a_deposit_mints_no_lp() public {
        vm.expectRevert(abi.encodeWithSelector(IPool.ZeroAmount.selector));
        pool.viewDeposit(0);
        vm.expectRevert(abi.encodeWithSelector(IPool.ZeroAmount.selector));
        pool.viewDeposit(1e6);
    }

    function test_error_DepositOutOfBounds_names_the_token_outside_the_callers_bounds() public {
        aud.mint(address(pool), 1_000_000e6);
        // 1000 dollars now take 500 USD and 1000 AUD.
        bytes4 outside = IPool.DepositOutOfBounds.selector;
        vm.expectRevert(abi.encodeWithSelector(outside, address(usd), 500e6, 500e6 + 1, MAX));
        pool.deposit(1000e18, 500e6 + 1, 0, MAX, MAX, LATER);
        vm.expectRevert(abi.encodeWithSelector(outside, address(usd), 500e6, 0, 500e6 - 1));
        pool.deposit(1000e18, 0, 0, 500e6 - 1, MAX, LATER);
        vm.expectRevert(abi.encodeWithSelector(outside, address(aud), 1000e6, 1000e6 + 1, MAX));
        pool.deposit(1000e18, 0, 1000e6 + 1, MAX, MAX, LATER);
        vm.expectRevert(abi.encodeWithSelector(outside, address(aud), 1000e6, 0, 1000e6 - 1));
        pool.deposit(1000e18, 0, 0, MAX, 1000e6 - 1, LATER);
    }

    function test_a_deposit_exactly_at_its_bounds_succeeds() public {
        _give(aud, 500e6, address(pool));
        _give(usd, 500e6, address(pool));
        vm.prank(trader);
        pool.deposit(1000e18, 500e6, 500e6, 500e6, 500e6, LATER);
        vm.assertEq(usd.balanceOf(trader) + aud.balanceOf(trader), 0);
    }

    function test_error_DeadlinePassed_for_deposit_and_withdrawal_at_the_deadline_itself() public {
        vm.expectRevert(abi.encodeWithSelector(IPool.DeadlinePassed.selector, NOW));
        pool.deposit(1000e18, 0, 0, MAX, MAX, NOW);
        vm.expectRevert(abi.encodeWithSelector(IPool.DeadlinePassed.selector, NOW));
        pool.withdraw(1, NOW);
    }

    function test_a_frozen_pool_rejects_deposits() public {
        pool.setFrozen(true);
        vm.expectRevert(abi.encodeWithSelector(IPool.Frozen.selector));
        pool.viewDeposit(1000e18);
        vm.expectRevert(abi.encodeWithSelector(IPool.Frozen.selector));
        pool.deposit(1000e18, 0, 0, MAX, MAX, LATER);
    }

    function test_a_withdrawal_works_while_the_pool_is_frozen_and_its_oracle_is_gone() public {
        uint256 lpAmount = _deposit(pool, 1000e18);
        pool.setFrozen(true);
        vm.etch(address(audOracle), "");
        vm.assertEq(pool.viewWithdraw(lpAmount)[1], 500e6);
        vm.prank(trader);
        pool.withdraw(lpAmount, LATER);
        vm.assertEq(usd.balanceOf(trader), 500e6);
        vm.assertEq(aud.balanceOf(trader), 500e6);
        vm.assertEq(pool.balanceOf(trader), 0);
    }

    function test_error_ZeroAmount_AboveSupply_and_InsufficientBalance_for_lp_that_the_caller_lacks() public {
        uint256 supply = pool.totalSupply();
        vm.expectRevert(abi.encodeWithSelector(IPool.ZeroAmount.selector));
        pool.withdraw(0, LATER);
        vm.expectRevert(abi.encodeWithSelector(IPool.AboveSupply.selector, supply + 1, supply));
        pool.viewWithdraw(supply + 1);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, trader, 0, 1));
        vm.prank(trader);
        pool.withdraw(1, LATER);
    }

    function test_the_last_withdrawal_leaves_the_share_of_the_locked_lp() public {
        _deposit(empty, 2_000_000e18);
        uint256 lpAmount = empty.balanceOf(trader);
        vm.prank(trader);
        empty.withdraw(lpAmount, LATER);
        vm.assertEq(empty.totalSupply(), 1e6);
        vm.assertEq(usd.balanceOf(address(empty)), 1);
        _deposit(empty, 2_000_000e18);
    }

    function test_inflating_the_first_share_costs_the_attacker_and_not_the_next_depositor() public {
        address attacker = trader;
        _deposit(empty, 1e6 + 1);
        uint256 donation = 1_000_000e6;
        usd.mint(address(empty), donation);
        aud.mint(address(empty), donation);

        usd.mint(address(this), 1000e6);
        aud.mint(address(this), 1000e6);
        usd.approve(address(empty), 1000e6);
        aud.approve(address(empty), 1000e6);
        (uint256 lpAmount, uint256[] memory paid) = empty.deposit(1000e18, 0, 0, MAX, MAX, LATER);

        // A unit of LP is now worth a dollar of each token, so rounding costs at most that.
        uint256[] memory back = empty.viewWithdraw(lpAmount);
        vm.assertGe(back[0] + 1e6, paid[0]);
        vm.assertGe(back[1] + 1e6, paid[1]);
        uint256[] memory loot = empty.viewWithdraw(empty.balanceOf(attacker));
        vm.assertLe(loot[1], donation / 500_000);
    }

    function testFuzz_a_deposit_and_its_withdrawal_never_gain(uint256 value, uint256 base, uint256 quote) public {
        _donate(base, quote);
        value = _bound(value, 1e13, 1e27);
        (uint256 lpAmount, uint256[] memory paid) = pool.viewDeposit(value);
        _deposit(pool, value);
        vm.assertEq(pool.balanceOf(trader), lpAmount);
        vm.prank(trader);
        uint256[] memory back = pool.withdraw(lpAmount, LATER);
        vm.assertLe(back[0], paid[0]);
        vm.assertLe(back[1], paid[1]);
    }

    function testFuzz_a_deposit_dilutes_no_share(uint256 value, uint256 part, uint256 base, uint256 quote) public {
        _donate(base, quote);
        uint256 lpAmount = 1e18;
        uint256[] memory before = pool.viewWithdraw(lpAmount / 2);
        _deposit(pool, _bound(value, 1e13, 1e27));
        uint256[] memory afterDeposit = pool.viewWithdraw(lpAmount / 2);
        vm.assertGe(afterDeposit[0], before[0]);
        vm.assertGe(afterDeposit[1], before[1]);
        part = _bound(part, 1, pool.balanceOf(trader));
        vm.prank(trader);
        pool.withdraw(part, LATER);
        uint256[] memory afterWithdrawal = pool.viewWithdraw(lpAmount / 2);
        vm.assertGe(afterWithdrawal[0], afterDeposit[0]);
        vm.assertGe(afterWithdrawal[1], afterDeposit[1]);
    }

    /// @dev Skews the pool by up to a hundred times in either direction.
    function _donate(uint256 base, uint256 quote) private {
        aud.mint(address(pool), _bound(base, 0, 100_000_000e6));
        usd.mint(address(pool), _bound(quote, 0, 100_000_000e6));
    }

    /// @dev Deposits as the trader, with exactly the quoted amounts. Returns the LP tokens.
    function _deposit(Pool target, uint256 value) private returns (uint256 lpAmount) {
        (, uint256[] memory amounts) = target.viewDeposit(value);
        _give(aud, amounts[0], address(target));
        _give(usd, amounts[1], address(target));
        vm.prank(trader);
        (lpAmount,) = target.deposit(value, amounts[1], amounts[0], amounts[1], amounts[0], block.timestamp + 1);
    }
}
