// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IPool} from "./interfaces/IPool.sol";
import {Pool} from "./Pool.sol";
import {PoolQuotes} from "./PoolQuotes.sol";
import {Fixture} from "./testing/Fixture.sol";

contract PoolTest is Fixture {
    address private constant GUARDIAN = address(0x6A12D);

    function test_the_selectors_match_the_family() public pure {
        _assertSelector(IPool.viewOriginSwap.selector, 0x838e6a22);
        _assertSelector(IPool.originSwap.selector, 0x0b2583c8);
        _assertSelector(IPool.viewTargetSwap.selector, 0x525d0da7);
        _assertSelector(IPool.targetSwap.selector, 0x72b4129a);
        _assertSelector(IPool.viewDeposit.selector, 0x6f2ef95b);
        _assertSelector(IPool.deposit.selector, 0x5872278a);
        _assertSelector(IPool.viewWithdraw.selector, 0xe5cf8a5c);
        _assertSelector(IPool.withdraw.selector, 0x441a3e70);
        _assertSelector(IPool.viewCurve.selector, 0x595520c7);
        _assertSelector(IPool.liquidity.selector, 0x1a686502);
        _assertSelector(IPool.assimilator.selector, 0x3cae77f7);
        _assertSelector(IPool.numeraires.selector, 0xa8e9d528);
        _assertSelector(IPool.reserves.selector, 0x8334278d);
        _assertSelector(IPool.derivatives.selector, 0xc0046e39);
        _assertSelector(IPool.frozen.selector, 0x054f7d9c);
        _assertSelector(IPool.emergency.selector, 0xcaa6fea4);
        _assertSelector(IPool.owner.selector, 0x8da5cb5b);
    }

    function test_the_trade_event_matches_the_family() public pure {
        vm.assertEq(IPool.Trade.selector, 0x887adc1b38cfb756ed025ea6acd9382fbd376ede6c34bc6fa738284b09275468);
    }

    function test_the_views_return_the_parameters_of_the_constructor() public view {
        (uint256 alpha, uint256 beta, uint256 delta, uint256 epsilon, uint256 lambda) = pool.viewCurve();
        vm.assertEq(alpha, ALPHA);
        vm.assertEq(beta + delta + lambda, 0);
        vm.assertEq(epsilon, EPSILON);
        vm.assertEq(pool.assimilator(address(aud)), address(audReader));
        vm.assertEq(pool.assimilator(address(usd)), address(usdReader));
        vm.assertEq(pool.assimilator(address(this)), address(0));
        vm.assertEq(pool.owner(), address(this));
        vm.assertEq(pool.emergency(), false);
        vm.assertEq(uint256(pool.decimals()), 18);
        vm.assertEq(bytes(pool.name()), "Agio LP");
        vm.assertEq(bytes(pool.symbol()), "AGIO-LP");
    }

    function test_index_0_is_the_base_and_index_1_the_quote() public view {
        vm.assertEq(pool.numeraires(0), address(aud));
        vm.assertEq(pool.numeraires(1), address(usd));
        vm.assertEq(pool.reserves(0), address(aud));
        vm.assertEq(pool.reserves(1), address(usd));
        vm.assertEq(pool.derivatives(0), address(aud));
        vm.assertEq(pool.derivatives(1), address(usd));
    }

    function test_error_UnknownIndex_for_a_third_token() public {
        vm.expectRevert(abi.encodeWithSelector(IPool.UnknownIndex.selector, 2));
        pool.numeraires(2);
    }

    function test_liquidity_returns_the_value_of_the_reserves_in_dollars_with_18_decimals() public view {
        (uint256 total, uint256[] memory individual) = pool.liquidity();
        vm.assertEq(individual[0], 651_200e18);
        vm.assertEq(individual[1], 1_000_000e18);
        vm.assertEq(total, 1_651_200e18);
    }

    function test_maxOrigin_matches_the_specified_vector() public view {
        vm.assertEq(pool.maxOrigin(address(usd), address(aud)), 238_400e6);
    }

    function test_maxOrigin_reverts_for_the_tokens_and_states_for_which_a_swap_reverts() public {
        vm.expectRevert(abi.encodeWithSelector(IPool.SameToken.selector, address(usd)));
        pool.maxOrigin(address(usd), address(usd));
        pool.setFrozen(true);
        vm.expectRevert(abi.encodeWithSelector(IPool.Frozen.selector));
        pool.maxOrigin(address(usd), address(aud));
    }

    function test_only_the_owner_freezes_a_pool() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, trader));
        vm.prank(trader);
        pool.setFrozen(true);
    }

    function test_freezing_and_unfreezing_emit_an_event() public {
        vm.expectEmit(address(pool));
        emit IPool.FrozenSet(true);
        pool.setFrozen(true);
        vm.assertEq(pool.frozen(), true);
        pool.setFrozen(false);
        vm.assertEq(pool.frozen(), false);
    }

    function test_the_owner_sets_replaces_and_removes_a_guardian() public {
        vm.assertEq(pool.guardian(), address(0));
        vm.expectEmit(address(pool));
        emit IPool.GuardianSet(address(0), GUARDIAN);
        pool.setGuardian(GUARDIAN);
        vm.assertEq(pool.guardian(), GUARDIAN);
        vm.expectEmit(address(pool));
        emit IPool.GuardianSet(GUARDIAN, address(0));
        pool.setGuardian(address(0));
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, GUARDIAN));
        vm.prank(GUARDIAN);
        pool.setFrozen(true);
    }

    function test_only_the_owner_sets_the_guardian() public {
        pool.setGuardian(GUARDIAN);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, GUARDIAN));
        vm.prank(GUARDIAN);
        pool.setGuardian(trader);
    }

    function test_error_GuardianCannotUnfreeze_for_a_guardian_that_may_only_freeze() public {
        pool.setGuardian(GUARDIAN);
        vm.expectEmit(address(pool));
        emit IPool.FrozenSet(true);
        vm.prank(GUARDIAN);
        pool.setFrozen(true);
        vm.assertEq(pool.frozen(), true);
        vm.expectRevert(abi.encodeWithSelector(IPool.GuardianCannotUnfreeze.selector, GUARDIAN));
        vm.prank(GUARDIAN);
        pool.setFrozen(false);
        vm.assertEq(pool.frozen(), true);
        pool.setFrozen(false);
        vm.assertEq(pool.frozen(), false);
    }

    function test_an_owner_that_is_its_own_guardian_still_unfreezes() public {
        pool.setGuardian(address(this));
        pool.setFrozen(true);
        pool.setFrozen(false);
        vm.assertEq(pool.frozen(), false);
    }

    function test_a_new_owner_inherits_the_guardian_and_may_replace_it() public {
        pool.setGuardian(GUARDIAN);
        pool.transferOwnership(trader);
        vm.startPrank(trader);
        pool.acceptOwnership();
        vm.assertEq(pool.guardian(), GUARDIAN);
        pool.setGuardian(trader);
        vm.stopPrank();
        vm.assertEq(pool.guardian(), trader);
    }

    function testFuzz_only_owner_and_guardian_change_whether_a_pool_is_frozen(
        address caller,
        bool isGuarded,
        bool isFrozen
    ) public {
        // No account sends from zero, which stands for no guardian.
        if (caller == address(0) || caller == address(this) || caller == GUARDIAN) return;
        if (isGuarded) pool.setGuardian(GUARDIAN);
        pool.setFrozen(!isFrozen);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, caller));
        vm.prank(caller);
        pool.setFrozen(isFrozen);
        vm.assertEq(pool.frozen(), !isFrozen);
    }

    function test_error_SameToken_when_the_base_is_the_quote() public {
        _assertRefused(
            _configOf(usd, usdReader, usd, usdReader), abi.encodeWithSelector(IPool.SameToken.selector, address(usd))
        );
    }

    function test_error_ReaderMismatch_when_the_readers_are_swapped() public {
        _assertRefused(
            _configOf(aud, usdReader, usd, audReader),
            abi.encodeWithSelector(IPool.ReaderMismatch.selector, address(usdReader), address(aud))
        );
    }

    function test_error_InvalidAlpha_unless_above_0_and_below_1() public {
        PoolQuotes.Config memory config = _configOf(aud, audReader, usd, usdReader);
        config.alpha = 0;
        _assertRefused(config, abi.encodeWithSelector(IPool.InvalidAlpha.selector, 0));
        config.alpha = 1e18;
        _assertRefused(config, abi.encodeWithSelector(IPool.InvalidAlpha.selector, 1e18));
    }

    function test_error_InvalidEpsilon_above_one_percent() public {
        PoolQuotes.Config memory config = _configOf(aud, audReader, usd, usdReader);
        config.epsilon = 1e16;
        new Pool(config);
        config.epsilon = 1e16 + 1;
        _assertRefused(config, abi.encodeWithSelector(IPool.InvalidEpsilon.selector, 1e16 + 1));
    }

    function _assertRefused(PoolQuotes.Config memory config, bytes memory reason) private {
        vm.expectRevert(reason);
        new Pool(config);
    }

    function _assertSelector(bytes4 actual, bytes4 expected) private pure {
        vm.assertEq(bytes32(actual), bytes32(expected));
    }
}
