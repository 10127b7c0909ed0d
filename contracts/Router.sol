// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IExactOutRouter} from "./interfaces/IExactOutRouter.sol";
import {IFactory} from "./interfaces/IFactory.sol";
import {IPool} from "./interfaces/IPool.sol";
import {IRouter} from "./interfaces/IRouter.sol";

/// @title Router
/// @notice Converts through one pool or two. IRouter and IExactOutRouter document its guarantees.
contract Router is IRouter, IExactOutRouter, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    /// @dev The tokens and pools of a conversion. `second` is zero if the pair has a pool of its own; `between` is then the
    /// target, else the intermediate token.
    struct Route {
        address origin;
        address between;
        address target;
        IPool first;
        IPool second;
    }

    /// @inheritdoc IRouter
    address public immutable factory;

    modifier beforeDeadline(uint256 deadline) {
        if (block.timestamp >= deadline) revert IPool.DeadlinePassed(deadline);
        _;
    }

    /// @param factory_ The registry of pools. Its owner is trusted: a pool that misreports its output can fail a swap.
    constructor(address factory_) {
        factory = factory_;
    }

    /// @inheritdoc IRouter
    function originSwap(
        address quote,
        address origin,
        address target,
        uint256 originAmount,
        uint256 minTargetAmount,
        uint256 deadline
    ) external nonReentrant returns (uint256 targetAmount) {
        Route memory route = _routeOf(quote, origin, target);
        targetAmount = _originSwap(route, originAmount, minTargetAmount, msg.sender, deadline);
    }

    /// @inheritdoc IExactOutRouter
    function originSwapTo(
        address quote,
        address origin,
        address target,
        uint256 originAmount,
        uint256 minTargetAmount,
        address recipient,
        uint256 deadline
    ) external nonReentrant returns (uint256 targetAmount) {
        Route memory route = _routeOf(quote, origin, target);
        _checkRecipient(route, recipient);
        targetAmount = _originSwap(route, originAmount, minTargetAmount, recipient, deadline);
    }

    /// @inheritdoc IExactOutRouter
    function targetSwap(
        address quote,
        address origin,
        address target,
        uint256 maxOriginAmount,
        uint256 targetAmount,
        uint256 deadline
    ) external nonReentrant beforeDeadline(deadline) returns (uint256 originAmount) {
        Route memory route = _routeOf(quote, origin, target);
        originAmount = _targetSwap(route, maxOriginAmount, targetAmount, msg.sender, deadline);
    }

    /// @inheritdoc IExactOutRouter
    function targetSwapTo(
        address quote,
        address origin,
        address target,
        uint256 maxOriginAmount,
        uint256 targetAmount,
        address recipient,
        uint256 deadline
    ) external nonReentrant beforeDeadline(deadline) returns (uint256 originAmount) {
        Route memory route = _routeOf(quote, origin, target);
        _checkRecipient(route, recipient);
        originAmount = _targetSwap(route, maxOriginAmount, targetAmount, recipient, deadline);
    }

    /// @inheritdoc IRouter
    function viewOriginSwap(address quote, address origin, address target, uint256 originAmount)
        external
        view
        returns (uint256)
    {
        Route memory route = _routeOf(quote, origin, target);
        uint256 amount = route.first.viewOriginSwap(origin, route.between, originAmount);
        if (_isDirect(route)) return amount;
        return route.second.viewOriginSwap(quote, target, amount);
    }

    /// @inheritdoc IRouter
    function viewTargetSwap(address quote, address origin, address target, uint256 targetAmount)
        external
        view
        returns (uint256 originAmount)
    {
        (originAmount,) = _inputsFor(_routeOf(quote, origin, target), targetAmount);
    }

    /// @inheritdoc IERC165
    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(IExactOutRouter).interfaceId || interfaceId == type(IERC165).interfaceId;
    }

    function _originSwap(
        Route memory route,
        uint256 originAmount,
        uint256 minTargetAmount,
        address recipient,
        uint256 deadline
    ) private returns (uint256 targetAmount) {
        IERC20(route.origin).safeTransferFrom(msg.sender, address(this), originAmount);
        if (_isDirect(route)) {
            targetAmount = _sell(route.first, route.origin, route.target, originAmount, minTargetAmount, deadline);
        } else {
            uint256 amount = _sell(route.first, route.origin, route.between, originAmount, 0, deadline);
            targetAmount = _sell(route.second, route.between, route.target, amount, minTargetAmount, deadline);
        }
        IERC20(route.target).safeTransfer(recipient, targetAmount);
    }

    /// @dev Both inputs are known before the first transfer, so the first pool pays exactly what the second charges.
    function _targetSwap(
        Route memory route,
        uint256 maxOriginAmount,
        uint256 targetAmount,
        address recipient,
        uint256 deadline
    ) private returns (uint256 originAmount) {
        uint256 amount;
        (originAmount, amount) = _inputsFor(route, targetAmount);
        if (originAmount > maxOriginAmount) revert IPool.AboveMaxInput(originAmount, maxOriginAmount);
        IERC20(route.origin).safeTransferFrom(msg.sender, address(this), originAmount);
        _buy(route.first, route.origin, route.between, originAmount, amount, deadline);
        if (!_isDirect(route)) _buy(route.second, route.between, route.target, amount, targetAmount, deadline);
        IERC20(route.target).safeTransfer(recipient, targetAmount);
    }

    function _sell(IPool pool, address origin, address target, uint256 amount, uint256 minimum, uint256 deadline)
        private
        returns (uint256)
    {
        IERC20(origin).forceApprove(address(pool), amount);
        return pool.originSwap(origin, target, amount, minimum, deadline);
    }

    function _buy(IPool pool, address origin, address target, uint256 input, uint256 output, uint256 deadline) private {
        IERC20(origin).forceApprove(address(pool), input);
        uint256 charged = pool.targetSwap(origin, target, input, output, deadline);
        if (charged != input) revert InputMismatch(address(pool), input, charged);
    }

    /// @dev The inputs for an exact output: of the route, and the output of its first pool that this needs.
    function _inputsFor(Route memory route, uint256 targetAmount)
        private
        view
        returns (uint256 originAmount, uint256 amount)
    {
        amount = _isDirect(route)
            ? targetAmount
            : route.second.viewTargetSwap(route.between, route.target, targetAmount);
        originAmount = route.first.viewTargetSwap(route.origin, route.between, amount);
    }

    function _checkRecipient(Route memory route, address recipient) private view {
        if (
            recipient == address(0) || recipient == address(this) || recipient == address(route.first)
                || recipient == address(route.second)
        ) revert InvalidRecipient(recipient);
    }

    function _isDirect(Route memory route) private pure returns (bool) {
        return address(route.second) == address(0);
    }

    function _routeOf(address quote, address origin, address target) private view returns (Route memory route) {
        (route.origin, route.between, route.target) = (origin, target, target);
        route.first = _findPool(origin, target);
        if (address(route.first) != address(0)) return route;
        route.between = quote;
        route.first = _findPool(origin, quote);
        route.second = _findPool(quote, target);
        // Without the first check a token would be converted to the quote token and back.
        if (origin == target || address(route.first) == address(0) || address(route.second) == address(0)) {
            revert NoPath(origin, target);
        }
    }

    function _findPool(address origin, address target) private view returns (IPool) {
        address pool = IFactory(factory).getCurve(origin, target);
        return IPool(pool != address(0) ? pool : IFactory(factory).getCurve(target, origin));
    }
}
