// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @dev One: the scale of alpha, epsilon, LP tokens and dollar values.
uint256 constant WAD = 1e18;

/// @dev The scale of prices, and so the price of the reference token.
uint256 constant PRICE_ONE = 1e8;

/// @dev One side of a pool as a swap sees it.
/// @param reserve What the pool holds before the swap, raw.
/// @param price Dollars per whole token, 8 decimals.
/// @param unit 10^decimals of the token, at most 1e18.
struct Asset {
    uint256 reserve;
    uint256 price;
    uint256 unit;
}

/// @title PoolMath
/// @notice The pool's integer maths. Every rounding goes against the caller: outputs down, inputs and fees up.
/// @dev Amounts are raw. 512-bit intermediates (`mulDiv`) make it exact; a result that does not fit 256 bits panics.
/// The order in which a swap checks its arguments is documented in IPool.
library PoolMath {
    using Math for uint256;

    /// @notice What an exact input buys before the fee, rounded down.
    function grossOut(uint256 originAmount, Asset memory origin, Asset memory target) internal pure returns (uint256) {
        return originAmount.mulDiv(origin.price * target.unit, target.price * origin.unit);
    }

    /// @notice The fee on a gross output, rounded up.
    /// @param gross Output before the fee.
    /// @param epsilon The fee as a part of 1e18.
    function feeOn(uint256 gross, uint256 epsilon) internal pure returns (uint256) {
        return gross.mulDiv(epsilon, WAD, Math.Rounding.Ceil);
    }

    /// @notice What an exact input buys after the fee.
    function quoteExactIn(uint256 originAmount, Asset memory origin, Asset memory target, uint256 epsilon)
        internal
        pure
        returns (uint256)
    {
        uint256 gross = grossOut(originAmount, origin, target);
        return gross - feeOn(gross, epsilon);
    }

    /// @notice The smallest gross output that leaves an exact output after the fee.
    function grossFor(uint256 targetAmount, uint256 epsilon) internal pure returns (uint256) {
        return targetAmount.mulDiv(WAD, WAD - epsilon, Math.Rounding.Ceil);
    }

    /// @notice The smallest input that buys a gross output, rounded up.
    function originFor(uint256 gross, Asset memory origin, Asset memory target) internal pure returns (uint256) {
        return gross.mulDiv(target.price * origin.unit, origin.price * target.unit, Math.Rounding.Ceil);
    }

    /// @notice The smallest input that buys an exact output after the fee.
    function quoteExactOut(uint256 targetAmount, Asset memory origin, Asset memory target, uint256 epsilon)
        internal
        pure
        returns (uint256)
    {
        return originFor(grossFor(targetAmount, epsilon), origin, target);
    }

    /// @notice The largest input that leaves the target's side with `1 - alpha` of half the pool's value.
    /// @dev Judged by the values before the swap: both sides together are worth the same after it, but for the fee.
    /// @param alpha As a part of 1e18.
    function maxOrigin(Asset memory origin, Asset memory target, uint256 alpha) internal pure returns (uint256) {
        // Exact: a unit divides 1e18.
        uint256 originScale = origin.price * WAD / origin.unit;
        uint256 targetValue = target.reserve * (target.price * WAD / target.unit);
        uint256 total = origin.reserve * originScale + targetValue;
        uint256 floorValue = total.mulDiv(WAD - alpha, 2 * WAD, Math.Rounding.Ceil);
        return targetValue > floorValue ? (targetValue - floorValue) / originScale : 0;
    }

    /// @notice The dollar value of a reserve, 18 decimals, rounded down.
    function valueOf(Asset memory asset) internal pure returns (uint256) {
        return asset.reserve.mulDiv(asset.price * WAD, PRICE_ONE * asset.unit);
    }

    /// @notice What the first deposit of a value pays of one token: half of the value, rounded up.
    /// @param value Dollars, 18 decimals.
    function firstDeposit(uint256 value, uint256 price, uint256 unit) internal pure returns (uint256) {
        return value.mulDiv(PRICE_ONE * unit, 2 * price * WAD, Math.Rounding.Ceil);
    }

    /// @notice What later deposits count the pool as: twice its quote side, dollars, 18 decimals.
    function poolValue(uint256 quoteReserve, uint256 quoteUnit) internal pure returns (uint256) {
        return 2 * quoteReserve * WAD / quoteUnit;
    }

    /// @notice What a later deposit pays of one token, rounded up.
    /// @param value Dollars, 18 decimals.
    /// @param reserve What the pool holds of the token.
    /// @param total The pool's value as `poolValue` counts it.
    function depositShare(uint256 value, uint256 reserve, uint256 total) internal pure returns (uint256) {
        return value.mulDiv(reserve, total, Math.Rounding.Ceil);
    }

    /// @notice The LP tokens that a later deposit gets, rounded down.
    function lpFor(uint256 value, uint256 supply, uint256 total) internal pure returns (uint256) {
        return value.mulDiv(supply, total);
    }

    /// @notice What LP tokens are paid of one reserve, rounded down.
    function withdrawShare(uint256 lpAmount, uint256 reserve, uint256 supply) internal pure returns (uint256) {
        return lpAmount.mulDiv(reserve, supply);
    }
}
