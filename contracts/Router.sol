// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IFactory} from "./interfaces/IFactory.sol";
import {IPool} from "./interfaces/IPool.sol";
import {IRouter} from "./interfaces/IRouter.sol";

/// @title Router
/// @notice Converts through one pool or two. IRouter documents its guarantees.
contract Router is IRouter, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    /// @dev The pools of a conversion. `second` is zero if the pair has a pool of its own.
    struct Route {
        IPool first;
        IPool second;
    }

    /// @inheritdoc IRouter
    address public immutable factory;

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
        IERC20(origin).safeTransferFrom(msg.sender, address(this), originAmount);
        if (address(route.second) == address(0)) {
            targetAmount = _swap(route.first, origin, target, originAmount, minTargetAmount, deadline);
        } else {
            uint256 quoteAmount = _swap(route.first, origin, quote, originAmount, 0, deadline);
            targetAmount = _swap(route.second, quote, target, quoteAmount, minTargetAmount, deadline);
        }
        IERC20(target).safeTransfer(msg.sender, targetAmount);
    }

    /// @inheritdoc IRouter
    function viewOriginSwap(address quote, address origin, address target, uint256 originAmount)
        external
        view
        returns (uint256)
    {
        Route memory route = _routeOf(quote, origin, target);
        if (address(route.second) == address(0)) return route.first.viewOriginSwap(origin, target, originAmount);
        uint256 quoteAmount = route.first.viewOriginSwap(origin, quote, originAmount);
        return route.second.viewOriginSwap(quote, target, quoteAmount);
    }

    /// @inheritdoc IRouter
    function viewTargetSwap(address quote, address origin, address target, uint256 targetAmount)
        external
        view
        returns (uint256)
    {
        Route memory route = _routeOf(quote, origin, target);
        if (address(route.second) == address(0)) return route.first.viewTargetSwap(origin, target, targetAmount);
        uint256 quoteAmount = route.second.viewTargetSwap(quote, target, targetAmount);
        return route.first.viewTargetSwap(origin, quote, quoteAmount);
    }

    function _swap(IPool pool, address origin, address target, uint256 amount, uint256 minimum, uint256 deadline)
        private
        returns (uint256)
    {
        IERC20(origin).forceApprove(address(pool), amount);
        return pool.originSwap(origin, target, amount, minimum, deadline);
    }

    function _routeOf(address quote, address origin, address target) private view returns (Route memory route) {
        route.first = _findPool(origin, target);
        if (address(route.first) != address(0)) return route;
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
