// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IFactory} from "./interfaces/IFactory.sol";
import {IPool} from "./interfaces/IPool.sol";
import {Owned} from "./Owned.sol";

/// @title Factory
/// @notice The registry of pools by token pair.
/// @dev The family's factory also deploys pools; this one only registers pools that its owner trusts.
contract Factory is IFactory, Owned {
    /// @inheritdoc IFactory
    mapping(bytes32 id => address curve) public curves;

    /// @dev The id of each registered pool, so that a removal does not depend on what the pool returns.
    mapping(address pool => bytes32 id) private _ids;

    constructor(address owner) Owned(owner) {}

    /// @inheritdoc IFactory
    function addPool(address pool) external onlyOwner {
        address base = IPool(pool).numeraires(0);
        address quote = IPool(pool).numeraires(1);
        address existing = getCurve(base, quote);
        if (existing == address(0)) existing = getCurve(quote, base);
        if (existing != address(0)) revert PairExists(base, quote, existing);
        if (_ids[pool] != 0) revert PoolExists(pool, _ids[pool]);
        bytes32 id = _idOf(base, quote);
        curves[id] = pool;
        _ids[pool] = id;
        emit NewCurve(msg.sender, id, pool);
    }

    /// @inheritdoc IFactory
    function removePool(address pool) external onlyOwner {
        bytes32 id = _ids[pool];
        if (id == 0) revert PoolNotRegistered(pool);
        delete curves[id];
        delete _ids[pool];
        emit CurveRemoved(msg.sender, id, pool);
    }

    /// @inheritdoc IFactory
    function getCurve(address base, address quote) public view returns (address) {
        return curves[_idOf(base, quote)];
    }

    function _idOf(address base, address quote) private pure returns (bytes32) {
        return keccak256(abi.encode(base, quote));
    }
}
