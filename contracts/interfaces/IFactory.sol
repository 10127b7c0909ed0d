// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IFactory
/// @notice The registry in which the router looks up pools.
interface IFactory {
    /// @notice Emitted when a pool is added.
    /// @param caller The account that added it.
    /// @param id keccak256(abi.encode(base, quote)).
    /// @param curve The pool.
    event NewCurve(address indexed caller, bytes32 indexed id, address indexed curve);

    /// @notice Emitted when a pool is removed.
    /// @param caller The account that removed it.
    /// @param id keccak256(abi.encode(base, quote)) of the pair, which has no pool now.
    /// @param curve The removed pool.
    event CurveRemoved(address indexed caller, bytes32 indexed id, address indexed curve);

    /// @notice Thrown when the pair already has a pool, in either order.
    /// @param base The base token of the pool to add.
    /// @param quote Its quote token.
    /// @param curve The existing pool.
    error PairExists(address base, address quote, address curve);

    /// @notice Thrown when the pool is registered under another pair: its tokens have changed.
    /// @param pool The pool to add.
    /// @param id The id under which it is registered.
    error PoolExists(address pool, bytes32 id);

    /// @notice Thrown when the pool to remove is not registered.
    /// @param pool The pool.
    error PoolNotRegistered(address pool);

    /// @notice Registers a pool under its own pair. Only the owner may call it.
    /// @param pool A pool of the family.
    function addPool(address pool) external;

    /// @notice Removes a pool, so that routers no longer convert through it. Only the owner may call it.
    /// @dev Calls nothing, so a pool that reverts can be removed too. The pool itself continues to work, and its liquidity
    /// providers withdraw as before. The pair can be registered again, also with the same pool.
    /// @param pool A registered pool.
    function removePool(address pool) external;

    /// @notice The pool with an id, or zero.
    /// @param id keccak256(abi.encode(base, quote)).
    function curves(bytes32 id) external view returns (address);

    /// @notice The pool of a pair in this order, or zero.
    /// @param base The pool's token 0.
    /// @param quote The pool's token 1.
    function getCurve(address base, address quote) external view returns (address);
}
