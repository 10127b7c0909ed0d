// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Asset, PoolMath} from "../PoolMath.sol";
import {Pool} from "../Pool.sol";

/// @title SkewedPool
/// @notice A pool that pays more or less than the oracle price, to test slippage checks.
contract SkewedPool is Pool {
    int256 private constant BPS = 10_000;

    /// @notice How much more than the oracle price a swap pays before the fee, in basis points; negative for less.
    int256 public skewBps;

    /// @notice Thrown when a skew would leave no output, or more than double it.
    error InvalidSkew(int256 skewBps);

    constructor(Config memory config) Pool(config) {}

    /// @notice Sets the skew. Only the owner may call it.
    /// @param newSkewBps Basis points, signed, above -10,000 and at most 10,000.
    function setSkewBps(int256 newSkewBps) external onlyOwner {
        if (newSkewBps <= -BPS || newSkewBps > BPS) revert InvalidSkew(newSkewBps);
        skewBps = newSkewBps;
    }

    function _exactIn(uint256 originAmount, Asset memory origin, Asset memory target)
        internal
        view
        override
        returns (uint256)
    {
        uint256 gross = PoolMath.grossOut(originAmount, origin, target) * _factor() / uint256(BPS);
        return gross - PoolMath.feeOn(gross, _EPSILON);
    }

    function _exactOut(uint256 targetAmount, Asset memory origin, Asset memory target)
        internal
        view
        override
        returns (uint256)
    {
        uint256 gross = PoolMath.grossFor(targetAmount, _EPSILON);
        uint256 factor = _factor();
        return PoolMath.originFor((gross * uint256(BPS) + factor - 1) / factor, origin, target);
    }

    function _factor() private view returns (uint256) {
        return uint256(BPS + skewBps);
    }
}
