// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IPool} from "./interfaces/IPool.sol";
import {Pool} from "./Pool.sol";
import {Fixture} from "./testing/Fixture.sol";
import {TestToken} from "./testing/TestToken.sol";

/// @dev A token whose owner blocks an account, as issuers of stablecoins do.
contract BlockingToken is TestToken {
    mapping(address account => bool isBlocked) private _blocked;

    constructor(address owner) TestToken("Blocking", "BLK", 6, owner) {}

    function blockAccount(address account) external onlyOwner {
        _blocked[account] = true;
    }

    function _update(address from, address to, uint256 value) internal override {
        require(!_blocked[from] && !_blocked[to], "blocked");
        super._update(from, to, value);
    }
}

contract PoolExtensionsTest is Fixture {
    uint256 private constant MAX = type(uint256).max;
    address private constant RECIPIENT = address(0xB0B);

    function test_depositWithMin_at_its_exact_bounds_succeeds() public {
        (uint256 lpAmount, uint256[] memory amounts) = pool.viewDeposit(1000e18);
        _prepare(pool, amounts[0], amounts[1]);
        vm.prank(trader);
        pool.depositWithMin(1000e18, lpAmount, amounts[1], amounts[0], LATER);
        vm.assertEq(pool.balanceOf(trader), lpAmount);
        vm.assertEq(usd.balanceOf(trader) + aud.balanceOf(trader), 0);
    }

    function test_error_BelowMinLp_for_one_unit_less_than_the_minimum() public {
        (uint256 lpAmount,) = pool.viewDeposit(1000e18);
        vm.expectRevert(abi.encodeWithSelector(IPool.BelowMinLp.selector, lpAmount, lpAmount + 1));
        pool.depositWithMin(1000e18, lpAmount + 1, MAX, MAX, LATER);
    }

    function test_error_BelowMinLp_counts_the_first_deposit_without_the_locked_lp() public {
        Pool empty = _createPool(aud, audReader, usd, usdReader);
        vm.expectRevert(abi.encodeWithSelector(IPool.BelowMinLp.selector, 1000e18 - 1e6, 1000e18));
        empty.depositWithMin(1000e18, 1000e18, MAX, MAX, LATER);
        _prepare(empty, 1000e6, 1000e6);
        vm.prank(trader);
        empty.depositWithMin(1000e18, 1000e18 - 1e6, MAX, MAX, LATER);
        vm.assertEq(empty.totalSupply(), 1000e18);
    }

    function test_error_BelowMinLp_for_a_deposit_that_a_donation_makes_smaller() public {
        (uint256 lpAmount,) = pool.viewDeposit(1000e18);
        usd.mint(address(pool), 1e6);
        (uint256 less,) = pool.viewDeposit(1000e18);
        vm.expectRevert(abi.encodeWithSelector(IPool.BelowMinLp.selector, less, lpAmount));
        pool.depositWithMin(1000e18, lpAmount, MAX, MAX, LATER);
    }

    function test_depositWithMin_checks_deadline_freeze_value_quote_base_and_lp_in_this_order() public {
        aud.mint(address(pool), 1_000_000e6);
        // 1000 dollars now take 500 USD and 1000 AUD.
        pool.setFrozen(true);
        vm.expectRevert(abi.encodeWithSelector(IPool.DeadlinePassed.selector, NOW));
        pool.depositWithMin(0, MAX, 0, 0, NOW);
        vm.expectRevert(abi.encodeWithSelector(IPool.Frozen.selector));
        pool.depositWithMin(0, MAX, 0, 0, LATER);
        pool.setFrozen(false);
        vm.expectRevert(abi.encodeWithSelector(IPool.ZeroAmount.selector));
        pool.depositWithMin(0, MAX, 0, 0, LATER);
        bytes4 outside = IPool.DepositOutOfBounds.selector;
        vm.expectRevert(abi.encodeWithSelector(outside, address(usd), 500e6, 0, 500e6 - 1));
        pool.depositWithMin(1000e18, MAX, 500e6 - 1, 0, LATER);
        vm.expectRevert(abi.encodeWithSelector(outside, address(aud), 1000e6, 0, 1000e6 - 1));
        pool.depositWithMin(1000e18, MAX, 500e6, 1000e6 - 1, LATER);
        (uint256 lpAmount,) = pool.viewDeposit(1000e18);
        vm.expectRevert(abi.encodeWithSelector(IPool.BelowMinLp.selector, lpAmount, MAX));
        pool.depositWithMin(1000e18, MAX, 500e6, 1000e6, LATER);
    }

    function test_withdrawTo_checks_deadline_recipient_and_amount_in_this_order() public {
        vm.expectRevert(abi.encodeWithSelector(IPool.DeadlinePassed.selector, NOW));
        pool.withdrawTo(0, address(0), NOW);
        vm.expectRevert(abi.encodeWithSelector(IPool.InvalidRecipient.selector, address(0)));
        pool.withdrawTo(0, address(0), LATER);
        vm.expectRevert(abi.encodeWithSelector(IPool.InvalidRecipient.selector, address(pool)));
        pool.withdrawTo(0, address(pool), LATER);
        vm.expectRevert(abi.encodeWithSelector(IPool.ZeroAmount.selector));
        pool.withdrawTo(0, RECIPIENT, LATER);
    }

    function test_withdrawTo_burns_the_lp_of_the_caller_alone() public {
        uint256 supply = pool.totalSupply();
        vm.expectRevert(abi.encodeWithSelector(IPool.AboveSupply.selector, supply + 1, supply));
        pool.withdrawTo(supply + 1, RECIPIENT, LATER);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, trader, 0, 1));
        vm.prank(trader);
        pool.withdrawTo(1, address(this), LATER);
    }

    function test_withdrawTo_works_while_the_pool_is_frozen_and_its_oracle_is_gone() public {
        pool.setFrozen(true);
        vm.etch(address(audOracle), "");
        uint256 lpAmount = pool.balanceOf(address(this));
        uint256[] memory amounts = pool.withdrawTo(lpAmount, RECIPIENT, LATER);
        vm.assertEq(aud.balanceOf(RECIPIENT), amounts[0]);
        vm.assertEq(usd.balanceOf(RECIPIENT), amounts[1]);
    }

    function test_a_holder_that_a_token_blocks_withdraws_to_another_account() public {
        BlockingToken blocking = new BlockingToken(address(this));
        Pool target = _createPool(blocking, _createReader(address(blocking), address(0)), usd, usdReader);
        _fund(target, 1000e6, 1000e6);
        uint256 lpAmount = target.balanceOf(address(this));
        target.transfer(trader, lpAmount);
        blocking.blockAccount(trader);
        vm.expectRevert("blocked");
        vm.prank(trader);
        target.withdraw(lpAmount, LATER);
        vm.prank(trader);
        uint256[] memory amounts = target.withdrawTo(lpAmount, RECIPIENT, LATER);
        vm.assertEq(blocking.balanceOf(RECIPIENT), amounts[0]);
        vm.assertEq(usd.balanceOf(RECIPIENT), amounts[1]);
    }

    function testFuzz_depositWithMin_does_exactly_what_a_deposit_does(uint256 value, uint256 base, uint256 quote)
        public
    {
        aud.mint(address(pool), _bound(base, 0, 100_000_000e6));
        usd.mint(address(pool), _bound(quote, 0, 100_000_000e6));
        value = _bound(value, 1e13, 1e27);
        (uint256 lpAmount, uint256[] memory amounts) = pool.viewDeposit(value);
        _prepare(pool, amounts[0], amounts[1]);
        uint256 id = vm.snapshotState();
        vm.prank(trader);
        (uint256 minted, uint256[] memory paid) = pool.deposit(value, 0, 0, MAX, MAX, LATER);
        bytes32 expected = _hashState(minted, paid);
        vm.revertToState(id);
        vm.prank(trader);
        (minted, paid) = pool.depositWithMin(value, lpAmount, amounts[1], amounts[0], LATER);
        vm.assertEq(_hashState(minted, paid), expected);
    }

    function testFuzz_withdrawTo_pays_the_recipient_what_a_withdrawal_pays_the_caller(uint256 lpAmount, uint256 base)
        public
    {
        aud.mint(address(pool), _bound(base, 0, 100_000_000e6));
        lpAmount = _bound(lpAmount, 1, pool.balanceOf(address(this)));
        uint256 id = vm.snapshotState();
        uint256[] memory expected = pool.withdraw(lpAmount, LATER);
        vm.assertEq(aud.balanceOf(address(this)), expected[0]);
        vm.assertEq(usd.balanceOf(address(this)), expected[1]);
        uint256 supply = pool.totalSupply();
        vm.revertToState(id);
        uint256[] memory amounts = pool.withdrawTo(lpAmount, RECIPIENT, LATER);
        vm.assertEq(abi.encode(amounts), abi.encode(expected));
        vm.assertEq(aud.balanceOf(RECIPIENT), expected[0]);
        vm.assertEq(usd.balanceOf(RECIPIENT), expected[1]);
        vm.assertEq(usd.balanceOf(address(this)) + aud.balanceOf(address(this)) + pool.balanceOf(RECIPIENT), 0);
        vm.assertEq(pool.totalSupply(), supply);
    }

    function _prepare(Pool target, uint256 base, uint256 quote) private {
        _give(aud, base, address(target));
        _give(usd, quote, address(target));
    }

    function _hashState(uint256 lpAmount, uint256[] memory amounts) private view returns (bytes32) {
        uint256[2] memory held = [aud.balanceOf(address(pool)), usd.balanceOf(address(pool))];
        uint256[2] memory left = [aud.balanceOf(trader), usd.balanceOf(trader)];
        return keccak256(abi.encode(lpAmount, amounts, held, left, pool.balanceOf(trader), pool.totalSupply()));
    }
}
