// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";

/// @title IExactOutRouter
/// @notice What a router can do beyond the family's: convert for an exact output, and pay another account.
/// @dev A router states by ERC-165 that it has these functions; the id of the interface covers the three of them. Each takes
/// the route of IRouter, is paid by the caller, and leaves no token in the router. Reverts of pools are passed on unchanged.
///
/// `targetSwap` and `targetSwapTo` check in this order: 1. {IPool.DeadlinePassed}, 2. {IRouter.NoPath},
/// 3. {InvalidRecipient}, 4. the reverts of the views, last pool first, 5. {IPool.AboveMaxInput}, 6. the transfers and swaps.
interface IExactOutRouter is IERC165 {
    /// @notice Thrown when the recipient is zero, the router, or a pool of the route: the tokens would be lost.
    /// @param recipient The recipient.
    error InvalidRecipient(address recipient);

    /// @notice Thrown when a pool charges less for an exact output than its view returned: the rest would stay in the router.
    /// @param pool The pool.
    /// @param expected The input that the view returned, raw.
    /// @param actual The input that the pool charged, raw.
    error InputMismatch(address pool, uint256 expected, uint256 actual);

    /// @notice Swaps an exact input, and pays a recipient.
    /// @param quote The intermediate token of a conversion in two hops.
    /// @param origin The token to pay; the caller has approved it to the router.
    /// @param target The token to receive.
    /// @param originAmount The amount to pay, raw.
    /// @param minTargetAmount The minimum output of the last hop, raw. The hop before it has no minimum.
    /// @param recipient The account that receives the output.
    /// @param deadline Unix seconds. The block timestamp must be before it.
    /// @return targetAmount The amount received, raw.
    function originSwapTo(
        address quote,
        address origin,
        address target,
        uint256 originAmount,
        uint256 minTargetAmount,
        address recipient,
        uint256 deadline
    ) external returns (uint256 targetAmount);

    /// @notice Swaps for an exact output.
    /// @dev The input equals the result of `IRouter.viewTargetSwap` in the same block.
    /// @param quote The intermediate token of a conversion in two hops.
    /// @param origin The token to pay; the caller has approved it to the router.
    /// @param target The token to receive.
    /// @param maxOriginAmount The maximum input of the first hop, raw.
    /// @param targetAmount The amount to receive after all fees, raw.
    /// @param deadline Unix seconds. The block timestamp must be before it.
    /// @return originAmount The amount paid, raw.
    function targetSwap(
        address quote,
        address origin,
        address target,
        uint256 maxOriginAmount,
        uint256 targetAmount,
        uint256 deadline
    ) external returns (uint256 originAmount);

    /// @notice Swaps for an exact output, and pays a recipient.
    /// @dev The input equals the result of `IRouter.viewTargetSwap` in the same block.
    /// @param quote The intermediate token of a conversion in two hops.
    /// @param origin The token to pay; the caller has approved it to the router.
    /// @param target The token to receive.
    /// @param maxOriginAmount The maximum input of the first hop, raw.
    /// @param targetAmount The amount to receive after all fees, raw.
    /// @param recipient The account that receives the output.
    /// @param deadline Unix seconds. The block timestamp must be before it.
    /// @return originAmount The amount paid, raw.
    function targetSwapTo(
        address quote,
        address origin,
        address target,
        uint256 maxOriginAmount,
        uint256 targetAmount,
        address recipient,
        uint256 deadline
    ) external returns (uint256 originAmount);
}
