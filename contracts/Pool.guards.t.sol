// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRateErrors} from "./interfaces/IRateReader.sol";
import {Pool} from "./Pool.sol";
import {GuardedFixture} from "./testing/GuardedFixture.sol";
import {Test} from "./testing/Test.sol";
import {TestToken} from "./testing/TestToken.sol";

contract PoolGuardsTest is GuardedFixture {
    function test_the_first_deposit_is_refused_while_a_price_does_not_count_and_a_withdrawal_is_not() public {
        Pool empty = _createPool(aud, guardedAud, usd, guardedUsd);
        usdOracle.updateAnswer(USD_MIN - 1);
        vm.expectRevert(_depegged(USD_MIN - 1));
        empty.viewDeposit(1e18);
        uint256[] memory amounts = guarded.withdraw(1e17, LATER);
        vm.assertGe(amounts[0], 1);
        vm.assertGe(amounts[1], 1);
    }

    function testFuzz_no_swap_executes_at_an_implausible_price(uint256 seed, uint256 amount, bool isAbove) public {
        int256 answer = int256(
            isAbove
                ? _bound(seed, uint256(AUD_MAX) + 1, uint256(type(int256).max))
                : _bound(seed, 1, uint256(AUD_MIN) - 1)
        );
        audOracle.updateAnswer(answer);
        _expectNoSwap(
            amount, abi.encodeWithSelector(IRateErrors.PriceOutOfBounds.selector, audOracle, answer, AUD_MIN, AUD_MAX)
        );
    }

    function testFuzz_no_swap_executes_while_the_reference_token_has_lost_its_peg(uint256 seed, uint256 amount) public {
        int256 answer = int256(_bound(seed, 1, uint256(USD_MIN) - 1));
        usdOracle.updateAnswer(answer);
        _expectNoSwap(amount, _depegged(answer));
    }

    function testFuzz_no_swap_executes_while_the_sequencer_is_down_or_in_its_grace_period(
        bool isDown,
        uint256 startedAt,
        uint256 amount
    ) public {
        startedAt = _bound(startedAt, NOW - GRACE, NOW);
        int256 answer = isDown ? DOWN : UP;
        sequencer.setRound(answer, startedAt);
        _expectNoSwap(
            amount, abi.encodeWithSelector(IRateErrors.SequencerDown.selector, sequencer, answer, startedAt, GRACE)
        );
    }

    /// @dev Tries both kinds of swap in both directions, and both views.
    function _expectNoSwap(uint256 amount, bytes memory reason) private {
        amount = _bound(amount, 1, 100_000e6);
        _give(usd, amount, address(guarded));
        _give(aud, amount, address(guarded));
        for (uint256 i = 0; i < 2; i++) {
            (address origin, address target) = i == 0 ? (address(usd), address(aud)) : (address(aud), address(usd));
            vm.expectRevert(reason);
            guarded.viewOriginSwap(origin, target, amount);
            vm.expectRevert(reason);
            guarded.viewTargetSwap(origin, target, amount);
            vm.expectRevert(reason);
            vm.prank(trader);
            guarded.originSwap(origin, target, amount, 0, LATER);
            vm.expectRevert(reason);
            vm.prank(trader);
            guarded.targetSwap(origin, target, type(uint256).max, amount, LATER);
        }
    }

    function _depegged(int256 answer) private view returns (bytes memory) {
        return abi.encodeWithSelector(IRateErrors.ReferenceDepegged.selector, usdOracle, answer, USD_MIN, USD_MAX);
    }
}

/// @title GuardsHandler
/// @notice A trader who swaps as much as the pool takes, on days on which the feeds are wrong as often as right.
contract GuardsHandler is GuardedFixture {
    /// @dev The feeds as the handler has set them. Each of these must be true for a swap.
    bool private _isPriceRight = true;
    bool private _isPegged = true;
    bool private _isUp = true;

    /// @notice The swaps that executed.
    uint256 public swaps;

    /// @notice The swaps that were refused because of a feed.
    uint256 public refusals;

    /// @notice Whether a swap executed although a feed was wrong.
    bool public hasSwappedWrongly;

    constructor() {
        setUp();
        _give(usd, type(uint128).max, address(guarded));
        _give(aud, type(uint128).max, address(guarded));
    }

    /// @notice Swaps a share of the largest input that the pool would take at the right price.
    function swap(bool paysBase, bool isExactOut, uint256 share) external {
        (TestToken origin, TestToken target) = paysBase ? (aud, usd) : (usd, aud);
        uint256 amount = _bound(share, 1, target.balanceOf(address(guarded)) / 4 + 1);
        vm.prank(trader);
        (bool isMade,) = address(guarded).call(
            isExactOut
                ? abi.encodeCall(
                    guarded.targetSwap, (address(origin), address(target), type(uint128).max, amount, LATER)
                )
                : abi.encodeCall(guarded.originSwap, (address(origin), address(target), amount, 0, LATER))
        );
        bool isRight = _isPriceRight && _isPegged && _isUp;
        if (isMade) swaps++;
        else if (!isRight) refusals++;
        if (isMade && !isRight) hasSwappedWrongly = true;
    }

    /// @notice Sets a round of the price: the right one, or one that is wrong by a factor of more than five.
    function setPrice(uint256 seed, bool isRight) external {
        bool isAbove = seed % 2 == 0;
        uint256 wrong = isAbove
            ? _bound(seed, uint256(AUD_MAX) + 1, 1000 * uint256(AUD_MAX))
            : _bound(seed, 0, uint256(AUD_MIN) - 1);
        audOracle.updateAnswer(isRight ? AUD_PRICE : int256(wrong));
        _isPriceRight = isRight;
    }

    /// @notice Sets the price of the reference token.
    function setPeg(uint256 seed) external {
        int256 answer = int256(_bound(seed, 0.95e8, 1.05e8));
        usdOracle.updateAnswer(answer);
        _isPegged = answer >= USD_MIN && answer <= USD_MAX;
    }

    /// @notice Stops the sequencer, or restarts it at any time of the last two grace periods.
    function setSequencer(bool isDown, uint256 seed) external {
        uint256 age = _bound(seed, 0, 2 * GRACE);
        sequencer.setRound(isDown ? DOWN : UP, NOW - age);
        _isUp = !isDown && age > GRACE;
    }

    /// @notice The value of the pool at the right prices.
    function value() external view returns (uint256) {
        return _valueOf(guarded, uint256(AUD_PRICE), 1e8);
    }
}

/// @dev The runner calls the functions of the handler in random order, and each invariant after every call.
contract PoolGuardsInvariantTest is Test {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    GuardsHandler private handler;
    uint256 private firstValue;

    function setUp() public {
        handler = new GuardsHandler();
        firstValue = handler.value();
    }

    /// @notice What the runner calls.
    function targetSelectors() external view returns (FuzzSelector[] memory targets) {
        bytes4[] memory selectors = new bytes4[](5);
        selectors[0] = selectors[1] = handler.swap.selector;
        selectors[2] = handler.setPrice.selector;
        selectors[3] = handler.setPeg.selector;
        selectors[4] = handler.setSequencer.selector;
        targets = new FuzzSelector[](1);
        targets[0] = FuzzSelector(address(handler), selectors);
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function invariant_no_swap_executes_while_a_feed_is_wrong() public view {
        vm.assertEq(handler.hasSwappedWrongly(), false);
    }

    function invariant_wrong_rounds_never_drain_the_pool_at_the_right_prices() public view {
        vm.assertGe(handler.value(), firstValue);
    }

    function test_the_handler_swaps_on_good_days_and_is_refused_on_bad_ones() public {
        handler.swap(true, false, 1e6);
        handler.swap(false, true, 1e6);
        handler.setPrice(0, false);
        handler.swap(true, false, 1e6);
        vm.assertEq(handler.swaps(), 2);
        vm.assertEq(handler.refusals(), 1);
    }
}
