// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IRouter
/// @notice Converts through the pool of the pair if there is one, else in two hops through a quote token.
/// @dev The DFX v2 / Stabull v1 router has the same ABI. The caller approves the router, which holds no tokens
/// between calls. It passes on errors of the pools unchanged.
interface IRouter {
    /// @notice Thrown when there is neither a direct pool nor a pool on both hops through the quote token.
    /// @param origin The token to pay.
    /// @param target The token to receive.
    error NoPath(address origin, address target);

    /// @notice The registry of pools.
    function factory() external view returns (address);

    /// @notice Quotes the output of an exact input.
    /// @param quote The intermediate token of a conversion in two hops.
    /// @param origin The token to pay.
    /// @param target The token to receive.
    /// @param originAmount The amount to pay, raw.
    /// @return targetAmount The amount received after all fees, raw.
    function viewOriginSwap(address quote, address origin, address target, uint256 originAmount)
        external
        view
        returns (uint256 targetAmount);

    /// @notice Swaps an exact input.
    /// @param quote The intermediate token of a conversion in two hops.
    /// @param origin The token to pay; the caller has approved it to the router.
    /// @param target The token to receive.
    /// @param originAmount The amount to pay, raw.
    /// @param minTargetAmount The minimum output of the last hop, raw. The hop before it has no minimum.
    /// @param deadline Unix seconds. The block timestamp must be before it.
    /// @return targetAmount The amount received, raw.
    function originSwap(
        address quote,
        address origin,
        address target,
        uint256 originAmount,
        uint256 minTargetAmount,
        uint256 deadline
    ) external returns (uint256 targetAmount);

    /// @notice Quotes the smallest input that buys an exact output.
    /// @param quote The intermediate token of a conversion in two hops.
    /// @param origin The token to pay.
    /// @param target The token to receive.
    /// @param targetAmount The amount to receive after all fees, raw.
    /// @return originAmount The amount to pay, raw.
    function viewTargetSwap(address quote, address origin, address target, uint256 targetAmount)
        external
        view
        returns (uint256 originAmount);
}
