// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IExactOutRouter} from "./interfaces/IExactOutRouter.sol";
import {IPermitRouter} from "./interfaces/IPermitRouter.sol";
import {IRouter} from "./interfaces/IRouter.sol";
import {Pool} from "./Pool.sol";
import {InvariantTest} from "./testing/InvariantTest.sol";
import {PermitFixture} from "./testing/PermitFixture.sol";
import {TestToken} from "./testing/TestToken.sol";

/// @title RouterHandler
/// @notice Three accounts that convert by all functions of the router, with permits that are good, foreign, expired, used or
/// sent before, at prices that move. It records everything that no conversion may do.
contract RouterHandler is PermitFixture {
    /// @dev A call of the router, the most that it may take from its caller, and of which token.
    struct Conversion {
        bytes data;
        TestToken origin;
        uint256 most;
    }

    address private constant GUARDIAN = address(0x6A12D);

    uint256[3] private _keys = [KEY, OTHER_KEY, 0xCAFE];
    TestToken[3] private _tokens;
    int256 private _audPrice = AUD_PRICE;
    uint256 private _quotes;
    Conversion private _last;

    /// @notice The conversions that succeeded, by the function of the router.
    uint256[8] public made;

    /// @notice The actor whose balance fell otherwise than by its own call, within what it allowed.
    address public robbed;

    /// @notice The pool that was worth less after a conversion, at the prices of that conversion, or that converted while it
    /// was frozen or not registered.
    address public drained;

    constructor() {
        setUp();
        pool.setGuardian(GUARDIAN);
        eurPool.setGuardian(GUARDIAN);
        _tokens = [usd, aud, eur];
        for (uint256 i = 0; i < 9; i++) {
            _tokens[i / 3].mint(_actor(i), 1_000_000e6);
            vm.prank(_actor(i));
            _tokens[i / 3].approve(PERMIT2, MAX);
        }
    }

    /// @notice Converts by a function of the router, in one of six directions, with a permit of an actor.
    function convert(uint256 way, uint256 caller, uint256 signer, uint256 direction, uint256 defect, uint256 amount)
        external
    {
        TestToken origin = _tokens[direction % 3];
        TestToken target = _tokens[(direction % 3 + 1 + (direction / 3) % 2) % 3];
        amount = _bound(amount, 1, 20_000e6);
        // The caller makes most signatures.
        uint256 key = _keys[(signer % 4 == 0 ? caller % 3 + 1 : caller) % 3];
        bytes memory data = _encode(way % 8, key, [origin, target], amount, defect % 8);
        _last = Conversion(data, origin, _isExactOut(way) ? 2 * amount : amount);
        if (_make(_actor(caller), _last)) made[way % 8]++;
    }

    /// @notice Sends the last calldata again, from any actor.
    function replay(uint256 caller) external {
        if (_last.data.length > 0) _make(_actor(caller), _last);
    }

    /// @notice Sets an allowance of the router.
    function approve(uint256 owner, uint256 token, uint256 amount) external {
        vm.prank(_actor(owner));
        _tokens[token % 3].approve(address(router), _bound(amount, 0, 20_000e6));
    }

    /// @notice Moves the price of a token by up to a fifth from its first one.
    function movePrice(uint256 price) external {
        _audPrice = int256(_bound(price, uint256(AUD_PRICE) * 4 / 5, uint256(AUD_PRICE) * 6 / 5));
        audOracle.setRound(_audPrice, NOW);
    }

    /// @notice Removes a pool from the registry, if it is registered.
    function removePool(uint256 which) external {
        Pool removed = which % 2 == 0 ? pool : eurPool;
        if (factory.getCurve(removed.numeraires(0), address(usd)) != address(0)) factory.removePool(address(removed));
    }

    /// @notice Registers the removed pools again, and unfreezes both.
    function addPools() external {
        if (factory.getCurve(address(aud), address(usd)) == address(0)) factory.addPool(address(pool));
        if (factory.getCurve(address(eur), address(usd)) == address(0)) factory.addPool(address(eurPool));
        pool.setFrozen(false);
        eurPool.setFrozen(false);
    }

    /// @notice Freezes a pool as its guardian.
    function freeze(uint256 which) external {
        Pool frozen = which % 2 == 0 ? pool : eurPool;
        vm.prank(GUARDIAN);
        frozen.setFrozen(true);
    }

    /// @notice Reverts if the router holds a token, or a pool has an allowance of it.
    function assertHoldsNothing() external view {
        _assertHoldsNothing();
    }

    function _make(address caller, Conversion memory conversion) private returns (bool success) {
        uint256[9] memory balances = _balances();
        (uint256 value, uint256 eurValue) = _values();
        vm.prank(caller);
        (success,) = address(router).call(conversion.data);
        (uint256 valueAfter, uint256 eurValueAfter) = _values();
        if (valueAfter < value) drained = address(pool);
        if (eurValueAfter < eurValue) drained = address(eurPool);
        if (valueAfter != value && !_isOpen(pool)) drained = address(pool);
        if (eurValueAfter != eurValue && !_isOpen(eurPool)) drained = address(eurPool);
        for (uint256 i = 0; i < 9; i++) {
            uint256 balance = _tokens[i / 3].balanceOf(_actor(i));
            bool isOwn = _actor(i) == caller && address(_tokens[i / 3]) == address(conversion.origin);
            if (balance + (isOwn ? conversion.most : 0) < balances[i]) robbed = _actor(i);
        }
    }

    function _encode(uint256 way, uint256 key, TestToken[2] memory pair, uint256 amount, uint256 defect)
        private
        returns (bytes memory)
    {
        (address u, address o, address t) = (address(usd), address(pair[0]), address(pair[1]));
        if (way == 0) return abi.encodeCall(IRouter.originSwap, (u, o, t, amount, 0, LATER));
        if (way == 1) return abi.encodeCall(IExactOutRouter.originSwapTo, (u, o, t, amount, 0, RECIPIENT, LATER));
        if (way == 2) return abi.encodeCall(IExactOutRouter.targetSwap, (u, o, t, 2 * amount, amount, LATER));
        if (way == 3) {
            return abi.encodeCall(IExactOutRouter.targetSwapTo, (u, o, t, 2 * amount, amount, RECIPIENT, LATER));
        }
        IPermitRouter.OriginSwap memory origin = IPermitRouter.OriginSwap(u, o, t, amount, 0, vm.addr(key), LATER);
        IPermitRouter.TargetSwap memory target =
            IPermitRouter.TargetSwap(u, o, t, 2 * amount, amount, RECIPIENT, LATER);
        if (way < 6) {
            IPermitRouter.Permit memory permit = _permitOf(key, pair[0], 2 * amount, defect);
            if (way == 4) return abi.encodeCall(IPermitRouter.originSwapWithPermit, (origin, permit));
            return abi.encodeCall(IPermitRouter.targetSwapWithPermit, (target, permit));
        }
        // A defect is a quote that was used before, or a signature for another spender.
        bytes32 quote = bytes32(defect == 5 ? _quotes : ++_quotes);
        address spender = defect == 6 ? RECIPIENT : address(router);
        if (way == 6) {
            bytes memory originSignature = _sign(key, _hashOriginSwap(origin, quote, spender));
            return abi.encodeCall(IPermitRouter.originSwapWithPermit2, (origin, quote, originSignature));
        }
        bytes memory signature = _sign(key, _hashTargetSwap(target, quote, spender));
        return abi.encodeCall(IPermitRouter.targetSwapWithPermit2, (target, quote, signature));
    }

    /// @dev A permit for the router that is expired, for another spender, or sent before, or none of these.
    function _permitOf(uint256 key, TestToken token, uint256 amount, uint256 defect)
        private
        returns (IPermitRouter.Permit memory)
    {
        address owner = vm.addr(key);
        uint256 deadline = defect == 5 ? NOW - 1 : NOW;
        address spender = defect == 6 ? RECIPIENT : address(router);
        bytes32 digest = _hashPermit(token, owner, spender, amount, token.nonces(owner), deadline);
        if (defect == 7) {
            (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
            token.permit(owner, spender, amount, deadline, v, r, s);
        }
        return IPermitRouter.Permit(amount, deadline, _sign(key, digest));
    }

    function _balances() private view returns (uint256[9] memory balances) {
        for (uint256 i = 0; i < 9; i++) {
            balances[i] = _tokens[i / 3].balanceOf(_actor(i));
        }
    }

    function _values() private view returns (uint256 value, uint256 eurValue) {
        return (_valueOf(pool, uint256(_audPrice), 1e8), _valueOf(eurPool, 1.0845e8, 1e8));
    }

    function _isOpen(Pool target) private view returns (bool) {
        return !target.frozen() && factory.getCurve(target.numeraires(0), address(usd)) == address(target);
    }

    function _isExactOut(uint256 way) private pure returns (bool) {
        way = way % 8;
        return way == 2 || way == 3 || way == 5 || way == 7;
    }

    function _actor(uint256 index) private view returns (address) {
        return vm.addr(_keys[index % 3]);
    }
}

contract RouterInvariantTest is InvariantTest {
    RouterHandler private handler;

    function setUp() public {
        handler = new RouterHandler();
        bytes4[] memory selectors = new bytes4[](9);
        selectors[0] = selectors[1] = selectors[2] = handler.convert.selector;
        selectors[3] = handler.replay.selector;
        selectors[4] = handler.approve.selector;
        selectors[5] = handler.movePrice.selector;
        selectors[6] = handler.removePool.selector;
        selectors[7] = handler.addPools.selector;
        selectors[8] = handler.freeze.selector;
        _target(address(handler), selectors);
    }

    function invariant_between_calls_the_router_holds_nothing_and_no_pool_has_an_allowance_of_it() public view {
        handler.assertHoldsNothing();
    }

    function invariant_no_balance_falls_but_that_of_the_caller_within_what_it_allowed() public view {
        vm.assertEq(handler.robbed(), address(0));
    }

    function invariant_no_conversion_makes_a_pool_worth_less_or_uses_one_that_is_frozen_or_removed() public view {
        vm.assertEq(handler.drained(), address(0));
    }

    function test_the_handler_converts_by_every_function_in_every_direction() public {
        for (uint256 way = 0; way < 8; way++) {
            for (uint256 direction = 0; direction < 6; direction++) {
                handler.approve(0, direction % 3, 20_000e6);
                handler.convert(way, 0, 1, direction, 0, 1_000e6);
            }
            vm.assertEq(handler.made(way), 6);
        }
    }
}
