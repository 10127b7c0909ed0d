// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPool} from "./interfaces/IPool.sol";
import {Pool} from "./Pool.sol";
import {Fixture} from "./testing/Fixture.sol";
import {InvariantTest} from "./testing/InvariantTest.sol";
import {TestToken} from "./testing/TestToken.sol";

/// @title PoolHandler
/// @notice Three accounts that trade with a pool, and provide and withdraw its liquidity, at prices that move, while an owner,
/// a guardian and strangers freeze, unfreeze and hand over. It records everything that no call may do.
contract PoolHandler is Fixture {
    /// @dev What a call may change: the balances of the pool, the supply, and the value of the pool.
    struct State {
        uint256[2] reserves;
        uint256 supply;
        uint256 value;
        uint256[9] balances;
    }

    address private constant BURN_ADDRESS = 0x000000000000000000000000000000000000dEaD;
    uint256 private constant MAX = type(uint256).max;

    address[3] private _actors = [address(0xA11CE), address(0xB0B), address(0xCA7)];
    uint256 private _audPrice = uint256(AUD_PRICE);
    address private _owner = address(this);
    address private _pendingOwner;
    address private _guardian;
    bool private _isFrozen;

    /// @notice The calls that succeeded, by kind: two swaps, two deposits, two withdrawals.
    uint256[6] public made;

    /// @notice The rule that a call has broken, or an empty text.
    string public broken;

    constructor() {
        setUp();
        for (uint256 i = 0; i < 3; i++) {
            aud.mint(_actors[i], 1e15);
            usd.mint(_actors[i], 1e15);
            vm.startPrank(_actors[i]);
            aud.approve(address(pool), MAX);
            usd.approve(address(pool), MAX);
            vm.stopPrank();
        }
    }

    /// @notice Swaps, by an exact input or for an exact output.
    function swap(uint256 way, uint256 caller, bool isBuying, uint256 amount) external {
        (address origin, address target) = isBuying ? (address(usd), address(aud)) : (address(aud), address(usd));
        amount = _bound(amount, 1, 400_000e6);
        bytes memory data = way % 2 == 0
            ? abi.encodeCall(IPool.originSwap, (origin, target, amount, 0, LATER))
            : abi.encodeCall(IPool.targetSwap, (origin, target, MAX, amount, LATER));
        State memory before = _read();
        if (!_make(way % 2, caller, data)) return;
        State memory later = _read();
        _require(later.value >= before.value, "a swap makes the pool worth less");
        _require(later.supply == before.supply, "a swap changes the supply");
        uint256 side = isBuying ? later.reserves[0] * _audPrice : later.reserves[1] * 1e8;
        // The halt: half of the pool's value, less half of it, with an alpha of 0.5. It is measured before the fee is added.
        _require(4 * side * 1e12 >= before.value, "a swap passes the halt");
    }

    /// @notice Deposits, with or without a minimum of LP tokens.
    function deposit(uint256 way, uint256 caller, uint256 value, bool isAboveQuote) external {
        value = _bound(value, 1, 10_000_000e18);
        State memory before = _read();
        uint256 minLpAmount = value * before.supply / (2 * before.reserves[1] * 1e12) + (isAboveQuote ? 1 : 0);
        bytes memory data = way % 2 == 0
            ? abi.encodeCall(IPool.deposit, (value, 0, 0, MAX, MAX, LATER))
            : abi.encodeCall(IPool.depositWithMin, (value, minLpAmount, MAX, MAX, LATER));
        if (!_make(2 + way % 2, caller, data)) return;
        uint256 minted = pool.balanceOf(_actors[caller % 3]) - before.balances[6 + caller % 3];
        _require(way % 2 == 0 || minted >= minLpAmount, "a deposit mints less than its minimum");
        _requireNoDilution(before, "a deposit dilutes a share");
    }

    /// @notice Withdraws to the caller or to another account.
    function withdraw(uint256 way, uint256 caller, uint256 recipient, uint256 part) external {
        uint256 lpAmount = _bound(part, 0, pool.balanceOf(_actors[caller % 3]));
        // The pool and zero are among the recipients.
        address to = recipient % 5 < 3 ? _actors[recipient % 5] : recipient % 5 == 3 ? address(pool) : address(0);
        bytes memory data = way % 2 == 0
            ? abi.encodeCall(IPool.withdraw, (lpAmount, LATER))
            : abi.encodeCall(IPool.withdrawTo, (lpAmount, to, LATER));
        if (way % 2 == 0) to = _actors[caller % 3];
        State memory before = _read();
        if (!_make(4 + way % 2, caller, data)) return;
        _require(to != address(pool) && to != address(0), "a withdrawal pays the pool or zero");
        State memory later = _read();
        for (uint256 i = 0; i < 3; i++) {
            bool isPaid = _actors[i] == to;
            for (uint256 side = 0; side < 2; side++) {
                uint256 paid = isPaid ? before.reserves[side] - later.reserves[side] : 0;
                uint256 expected = before.balances[3 * side + i] + paid;
                _require(later.balances[3 * side + i] == expected, "a withdrawal pays another account");
            }
        }
        _requireNoDilution(before, "a withdrawal dilutes a share");
    }

    /// @notice Transfers LP tokens, or donates to the pool.
    function give(uint256 caller, uint256 recipient, uint256 kind, uint256 amount) external {
        bool isDonation = kind % 4 < 2;
        amount = _bound(amount, 0, isDonation ? 1000e6 : pool.balanceOf(_actors[caller % 3]) / 2);
        TestToken token = isDonation ? (kind % 4 == 0 ? aud : usd) : TestToken(address(pool));
        vm.prank(_actors[caller % 3]);
        token.transfer(isDonation ? address(pool) : _actors[recipient % 3], amount);
    }

    /// @notice Moves the price of a token by up to a fifth from its first one.
    function movePrice(uint256 price) external {
        _audPrice = _bound(price, uint256(AUD_PRICE) * 4 / 5, uint256(AUD_PRICE) * 6 / 5);
        audOracle.setRound(int256(_audPrice), NOW);
    }

    /// @notice Freezes or unfreezes as any account. Often the owner unfreezes, so that most calls find the pool open.
    function setFrozen(uint256 caller, uint256 state) external {
        bool isFrozen = state % 4 == 0;
        address account = state % 4 == 3 ? _owner : _anyone(caller);
        bool isAllowed = account == _owner || (isFrozen && account == _guardian && _guardian != address(0));
        bool success = _call(account, abi.encodeCall(IPool.setFrozen, (isFrozen)));
        _require(success == isAllowed, "an account freezes or unfreezes without the right to");
        if (success) _isFrozen = isFrozen;
    }


    /// @notice Sets the guardian, as any account.
    function setGuardian(uint256 caller, uint256 guardian) external {
        address account = _anyone(caller);
        bool success = _call(account, abi.encodeCall(IPool.setGuardian, (_anyone(guardian))));
        _require(success == (account == _owner), "another account sets the guardian");
        if (success) _guardian = _anyone(guardian);
    }

    /// @notice Proposes an owner, accepts the ownership or renounces it, as any account.
    function handOver(uint256 caller, uint256 step, uint256 to) external {
        address account = _anyone(caller);
        if (step % 4 == 0) {
            _require(!_call(account, abi.encodeCall(pool.renounceOwnership, ())), "an account renounces");
        } else if (step % 4 == 1) {
            bool success = _call(account, abi.encodeCall(pool.transferOwnership, (_anyone(to))));
            _require(success == (account == _owner), "another account proposes an owner");
            if (success) _pendingOwner = _anyone(to);
        } else {
            bool success = _call(account, abi.encodeCall(pool.acceptOwnership, ()));
            _require(success == (account == _pendingOwner), "an account accepts without a proposal");
            if (success) (_owner, _pendingOwner) = (account, address(0));
        }
    }

    /// @notice Reverts unless the roles are those that the calls have set.
    function assertRoles() external view {
        vm.assertEq(pool.owner(), _owner);
        vm.assertEq(pool.pendingOwner(), _pendingOwner);
        vm.assertEq(pool.guardian(), _guardian);
        vm.assertEq(pool.frozen(), _isFrozen);
    }

    /// @notice Reverts unless the supply is what the holders have, with the locked part.
    function assertSupply() external view {
        uint256 held = pool.balanceOf(address(this)) + pool.balanceOf(BURN_ADDRESS);
        for (uint256 i = 0; i < 3; i++) held += pool.balanceOf(_actors[i]);
        vm.assertEq(held, pool.totalSupply());
        vm.assertEq(pool.balanceOf(BURN_ADDRESS), 1e6);
        vm.assertEq(pool.balanceOf(address(pool)), 0);
    }

    /// @dev Calls the pool as an actor. No other account may lose a token, and while frozen only withdrawals succeed.
    function _make(uint256 kind, uint256 caller, bytes memory data) private returns (bool success) {
        uint256[9] memory before = _balances();
        success = _call(_actors[caller % 3], data);
        if (!success) return false;
        made[kind]++;
        _require(!_isFrozen || kind >= 4, "a frozen pool swaps or takes a deposit");
        uint256[9] memory later = _balances();
        for (uint256 i = 0; i < 9; i++) {
            _require(i % 3 == caller % 3 || later[i] >= before[i], "a call takes from another account");
        }
    }

    function _call(address account, bytes memory data) private returns (bool success) {
        vm.prank(account);
        (success,) = address(pool).call(data);
    }

    /// @dev No share of either reserve falls: reserve / supply only grows.
    function _requireNoDilution(State memory before, string memory rule) private {
        State memory later = _read();
        for (uint256 i = 0; i < 2; i++) {
            _require(later.reserves[i] * before.supply >= before.reserves[i] * later.supply, rule);
        }
    }

    function _require(bool holds, string memory rule) private {
        if (!holds) broken = rule;
    }

    function _read() private view returns (State memory) {
        uint256[2] memory reserves = [aud.balanceOf(address(pool)), usd.balanceOf(address(pool))];
        return State(reserves, pool.totalSupply(), _valueOf(pool, _audPrice, 1e8), _balances());
    }

    function _balances() private view returns (uint256[9] memory balances) {
        address[3] memory tokens = [address(aud), address(usd), address(pool)];
        for (uint256 i = 0; i < 9; i++) balances[i] = TestToken(tokens[i / 3]).balanceOf(_actors[i % 3]);
    }

    /// @dev An actor or this contract, the first owner.
    function _anyone(uint256 index) private view returns (address) {
        return index % 4 == 3 ? address(this) : _actors[index % 4];
    }
}

contract PoolInvariantTest is InvariantTest {
    PoolHandler private handler;

    function setUp() public {
        handler = new PoolHandler();
        bytes4[] memory selectors = new bytes4[](12);
        selectors[0] = selectors[1] = selectors[2] = handler.swap.selector;
        selectors[3] = selectors[4] = handler.deposit.selector;
        selectors[5] = selectors[6] = handler.withdraw.selector;
        selectors[7] = handler.give.selector;
        selectors[8] = handler.movePrice.selector;
        selectors[9] = handler.setFrozen.selector;
        selectors[10] = handler.setGuardian.selector;
        selectors[11] = handler.handOver.selector;
        _target(address(handler), selectors);
    }

    function invariant_no_call_breaks_a_rule() public view {
        vm.assertEq(bytes(handler.broken()), "");
    }

    function invariant_owner_guardian_and_freeze_are_what_their_holders_have_set() public view {
        handler.assertRoles();
    }

    function invariant_the_supply_is_what_the_holders_have() public view {
        handler.assertSupply();
    }

    function test_the_handler_makes_every_call() public {
        for (uint256 way = 0; way < 2; way++) {
            handler.swap(way, 0, true, 1000e6);
            handler.swap(way, 0, false, 1000e6);
            handler.deposit(way, 1, 1000e18, false);
            handler.withdraw(way, 1, 2, 1e10);
        }
        for (uint256 kind = 0; kind < 6; kind++) vm.assertGe(handler.made(kind), 1);
        vm.assertEq(bytes(handler.broken()), "");
    }
}
