// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IExactOutRouter} from "./interfaces/IExactOutRouter.sol";
import {IPermitRouter} from "./interfaces/IPermitRouter.sol";
import {IPool} from "./interfaces/IPool.sol";
import {IRouter} from "./interfaces/IRouter.sol";
import {PermitPayment} from "./PermitPayment.sol";
import {RouteSwaps} from "./RouteSwaps.sol";

/// @title Router
/// @notice Converts through one pool or two. IRouter, IExactOutRouter and IPermitRouter document its guarantees.
/// @dev Only the caller ever pays, by its allowance or its signature. Between calls the router holds no token, and no pool has
/// an allowance of it. Every function that transfers is `nonReentrant`, so that a hostile token finds the router locked.
///
/// External calls: to the registry and the pools in it, which its owner adds; to the tokens of these pools; and to Permit2.
/// The caller can choose neither an address nor the calldata of a call.
contract Router is IRouter, IExactOutRouter, IPermitRouter, RouteSwaps, ReentrancyGuardTransient {
    modifier beforeDeadline(uint256 deadline) {
        if (block.timestamp >= deadline) revert IPool.DeadlinePassed(deadline);
        _;
    }

    /// @param factory_ The registry of pools. Its owner is trusted: a pool that misreports its output can fail a swap.
    constructor(address factory_) RouteSwaps(factory_) {}

    /// @inheritdoc IRouter
    function factory() external view returns (address) {
        return address(_FACTORY);
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

    /// @inheritdoc IPermitRouter
    function originSwapWithPermit(OriginSwap calldata swap, Permit calldata permit)
        external
        nonReentrant
        beforeDeadline(swap.deadline)
        returns (uint256 targetAmount)
    {
        Route memory route = _routeOf(swap.quote, swap.origin, swap.target);
        _checkRecipient(route, swap.recipient);
        PermitPayment.usePermit(swap.origin, permit);
        targetAmount = _originSwap(route, swap.originAmount, swap.minTargetAmount, swap.recipient, swap.deadline);
    }

    /// @inheritdoc IPermitRouter
    function targetSwapWithPermit(TargetSwap calldata swap, Permit calldata permit)
        external
        nonReentrant
        beforeDeadline(swap.deadline)
        returns (uint256 originAmount)
    {
        Route memory route = _routeOf(swap.quote, swap.origin, swap.target);
        _checkRecipient(route, swap.recipient);
        uint256 amount;
        (originAmount, amount) = _inputsWithin(route, swap.maxOriginAmount, swap.targetAmount);
        PermitPayment.usePermit(swap.origin, permit);
        _pull(route, originAmount);
        _buyAlong(route, originAmount, amount, swap.targetAmount, swap.recipient, swap.deadline);
    }

    /// @inheritdoc IPermitRouter
    function originSwapWithPermit2(OriginSwap calldata swap, bytes32 quoteDigest, bytes calldata signature)
        external
        nonReentrant
        beforeDeadline(swap.deadline)
        returns (uint256 targetAmount)
    {
        Route memory route = _routeOf(swap.quote, swap.origin, swap.target);
        _checkRecipient(route, swap.recipient);
        PermitPayment.pullByPermit2(swap, quoteDigest, signature);
        targetAmount = _sellAlong(route, swap.originAmount, swap.minTargetAmount, swap.recipient, swap.deadline);
    }

    /// @inheritdoc IPermitRouter
    function targetSwapWithPermit2(TargetSwap calldata swap, bytes32 quoteDigest, bytes calldata signature)
        external
        nonReentrant
        beforeDeadline(swap.deadline)
        returns (uint256 originAmount)
    {
        Route memory route = _routeOf(swap.quote, swap.origin, swap.target);
        _checkRecipient(route, swap.recipient);
        uint256 amount;
        (originAmount, amount) = _inputsWithin(route, swap.maxOriginAmount, swap.targetAmount);
        PermitPayment.pullByPermit2(swap, originAmount, quoteDigest, signature);
        _buyAlong(route, originAmount, amount, swap.targetAmount, swap.recipient, swap.deadline);
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
        return interfaceId == type(IExactOutRouter).interfaceId || interfaceId == type(IPermitRouter).interfaceId
            || interfaceId == type(IERC165).interfaceId;
    }
}
