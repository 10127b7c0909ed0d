// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IExactOutRouter} from "./interfaces/IExactOutRouter.sol";
import {IFactory} from "./interfaces/IFactory.sol";
import {IPool} from "./interfaces/IPool.sol";
import {IRouter} from "./interfaces/IRouter.sol";

/// @title RouteSwaps
/// @notice Finds the route of a conversion, and executes it with the caller's tokens. The functions of the router choose how
/// the caller pays.
/// @dev External calls, each from a function that holds the lock of the router or changes nothing:
/// - to the registry, whose owner is trusted, for the pools of a route;
/// - to the views of these pools, before any transfer;
/// - to the origin token, to take the input from `msg.sender`, never from another account;
/// - to each token before its pool, to approve exactly what the pool takes, which leaves no allowance;
/// - to the pools, with the caller's limits. What they return is transferred on, so a pool that returns more than it has paid
///   makes the transfer fail: the router has nothing else to pay with;
/// - to the target token, last, to pay the recipient.
/// A token that calls out finds the router locked, and can move the prices of its pool only: the swap then ends at the limits
/// of the caller or reverts. The pools do all arithmetic; nothing is unchecked.
abstract contract RouteSwaps {
    using SafeERC20 for IERC20;

    /// @dev The tokens and pools of a conversion. `second` is zero if the pair has its own pool; `between` is then the
    /// target, else the intermediate token.
    struct Route {
        address origin;
        address between;
        address target;
        IPool first;
        IPool second;
    }

    IFactory internal immutable _FACTORY;

    /// @param factory_ The registry of pools. Its owner is trusted: a pool that misreports its output can fail a swap.
    constructor(address factory_) {
        _FACTORY = IFactory(factory_);
    }

    function _originSwap(
        Route memory route,
        uint256 originAmount,
        uint256 minTargetAmount,
        address recipient,
        uint256 deadline
    ) internal returns (uint256) {
        _pull(route, originAmount);
        return _sellAlong(route, originAmount, minTargetAmount, recipient, deadline);
    }

    function _targetSwap(
        Route memory route,
        uint256 maxOriginAmount,
        uint256 targetAmount,
        address recipient,
        uint256 deadline
    ) internal returns (uint256 originAmount) {
        uint256 amount;
        (originAmount, amount) = _inputsWithin(route, maxOriginAmount, targetAmount);
        _pull(route, originAmount);
        _buyAlong(route, originAmount, amount, targetAmount, recipient, deadline);
    }

    /// @dev Takes the input from the caller, by its allowance. A token that delivers less than was sent makes the first swap fail:
    /// the router holds nothing that could pay the difference.
    function _pull(Route memory route, uint256 originAmount) internal {
        IERC20(route.origin).safeTransferFrom(msg.sender, address(this), originAmount);
    }

    /// @dev Converts an input that the router holds, and pays the recipient.
    function _sellAlong(
        Route memory route,
        uint256 originAmount,
        uint256 minTargetAmount,
        address recipient,
        uint256 deadline
    ) internal returns (uint256 targetAmount) {
        if (_isDirect(route)) {
            targetAmount = _sell(route.first, route.origin, route.target, originAmount, minTargetAmount, deadline);
        } else {
            uint256 amount = _sell(route.first, route.origin, route.between, originAmount, 0, deadline);
            targetAmount = _sell(route.second, route.between, route.target, amount, minTargetAmount, deadline);
        }
        IERC20(route.target).safeTransfer(recipient, targetAmount);
    }

    /// @dev Converts the inputs of `_inputsWithin`, the first of which the router holds, and pays the recipient. Both are known
    /// before the first transfer, so the first pool pays exactly what the second charges.
    function _buyAlong(
        Route memory route,
        uint256 originAmount,
        uint256 amount,
        uint256 targetAmount,
        address recipient,
        uint256 deadline
    ) internal {
        _buy(route.first, route.origin, route.between, originAmount, amount, deadline);
        if (!_isDirect(route)) _buy(route.second, route.between, route.target, amount, targetAmount, deadline);
        IERC20(route.target).safeTransfer(recipient, targetAmount);
    }

    /// @dev The pool takes all of the allowance: it is called for exactly this input.
    function _sell(IPool pool, address origin, address target, uint256 amount, uint256 minimum, uint256 deadline)
        private
        returns (uint256)
    {
        IERC20(origin).forceApprove(address(pool), amount);
        return pool.originSwap(origin, target, amount, minimum, deadline);
    }

    /// @dev The pool takes all of the allowance, or the call reverts.
    function _buy(IPool pool, address origin, address target, uint256 input, uint256 output, uint256 deadline) private {
        IERC20(origin).forceApprove(address(pool), input);
        uint256 charged = pool.targetSwap(origin, target, input, output, deadline);
        if (charged != input) revert IExactOutRouter.InputMismatch(address(pool), input, charged);
    }

    /// @dev The inputs of `_inputsFor`, if the first is at most a maximum.
    function _inputsWithin(Route memory route, uint256 maxOriginAmount, uint256 targetAmount)
        internal
        view
        returns (uint256 originAmount, uint256 amount)
    {
        (originAmount, amount) = _inputsFor(route, targetAmount);
        if (originAmount > maxOriginAmount) revert IPool.AboveMaxInput(originAmount, maxOriginAmount);
    }

    /// @dev The inputs for an exact output: of the route, and the output of its first pool that this needs.
    function _inputsFor(Route memory route, uint256 targetAmount)
        internal
        view
        returns (uint256 originAmount, uint256 amount)
    {
        amount = _isDirect(route)
            ? targetAmount
            : route.second.viewTargetSwap(route.between, route.target, targetAmount);
        originAmount = route.first.viewTargetSwap(route.origin, route.between, amount);
    }

    function _checkRecipient(Route memory route, address recipient) internal view {
        if (
            recipient == address(0) || recipient == address(this) || recipient == address(route.first)
                || recipient == address(route.second)
        ) revert IExactOutRouter.InvalidRecipient(recipient);
    }

    function _isDirect(Route memory route) internal pure returns (bool) {
        return address(route.second) == address(0);
    }

    function _routeOf(address quote, address origin, address target) internal view returns (Route memory route) {
        (route.origin, route.between, route.target) = (origin, target, target);
        route.first = _findPool(origin, target);
        if (address(route.first) != address(0)) return route;
        route.between = quote;
        route.first = _findPool(origin, quote);
        route.second = _findPool(quote, target);
        // Without the first check a token would be converted to the quote token and back.
        if (origin == target || address(route.first) == address(0) || address(route.second) == address(0)) {
            revert IRouter.NoPath(origin, target);
        }
    }

    function _findPool(address origin, address target) private view returns (IPool) {
        address pool = _FACTORY.getCurve(origin, target);
        return IPool(pool != address(0) ? pool : _FACTORY.getCurve(target, origin));
    }
}
