// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IRouter
/// @notice Converts through the pair's own pool if there is one, else by way of a quote token.
/// @dev The ABI is that of the DFX v2 / Stabull v1 router. The router is what the caller approves. It keeps nothing
/// between calls. Errors of the pools are passed on unchanged.
interface IRouter {
    /// @notice Thrown when neither a direct pool nor two pools by way of the quote token exist.
    /// @param origin The token to pay.
    /// @param target The token to receive.
    error NoPath(address origin, address target);

    /// @notice The registry of pools.
    function factory() external view returns (address);

    /// @notice What an exact input buys now.
    /// @param quote The token to go through when origin and target have no pool of their own.
    /// @param origin The token to pay.
    /// @param target The token to receive.
    /// @param originAmount What is paid, raw.
    /// @return targetAmount What is received after all fees, raw.
    function viewOriginSwap(address quote, address origin, address target, uint256 originAmount)
        external
        view
        returns (uint256 targetAmount);

    /// @notice Pays an exact input and receives what it buys.
    /// @param quote The token to go through when origin and target have no pool of their own.
    /// @param origin The token to pay; the caller has approved it to the router.
    /// @param target The token to receive.
    /// @param originAmount What is paid, raw.
    /// @param minTargetAmount The least of the target that the caller accepts, raw. Between hops there is no minimum.
    /// @param deadline Unix seconds. The block's time must be before it, not equal.
    /// @return targetAmount What was received, raw.
    function originSwap(
        address quote,
        address origin,
        address target,
        uint256 originAmount,
        uint256 minTargetAmount,
        uint256 deadline
    ) external returns (uint256 targetAmount);

    /// @notice The smallest input that buys an exact output now.
    /// @param quote The token to go through when origin and target have no pool of their own.
    /// @param origin The token to pay.
    /// @param target The token to receive.
    /// @param targetAmount What is received after all fees, raw.
    /// @return originAmount What is paid, raw.
    function viewTargetSwap(address quote, address origin, address target, uint256 targetAmount)
        external
        view
        returns (uint256 originAmount);
}
