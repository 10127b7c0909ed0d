// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Asset, PoolMath, WAD} from "../PoolMath.sol";
import {Pool} from "../Pool.sol";

/// @title MarkupPool
/// @notice A pool that prices exact inputs as our pools do, and exact outputs as the family does: for an output, its fee
/// multiplies the input by `1 + epsilon`, instead of dividing the output by `1 - epsilon`.
contract MarkupPool is Pool {
    constructor(Config memory config) Pool(config) {}

    function _exactOut(uint256 targetAmount, Asset memory origin, Asset memory target)
        internal
        view
        override
        returns (uint256)
    {
        return (PoolMath.originFor(targetAmount, origin, target) * (WAD + _EPSILON) + WAD - 1) / WAD;
    }
}
