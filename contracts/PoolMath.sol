// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @dev One: the scale of alpha, epsilon, LP tokens and dollar values.
uint256 constant WAD = 1e18;

/// @dev The scale of prices, and so the price of the reference token.
uint256 constant PRICE_ONE = 1e8;

/// @dev One side of a pool, as the input of a swap.
/// @param reserve The balance of the pool before the swap, raw.
/// @param price Dollars per whole token, 8 decimals.
/// @param unit 10^decimals of the token, at most 1e18.
struct Asset {
    uint256 reserve;
    uint256 price;
    uint256 unit;
}

/// @title PoolMath
/// @notice The integer maths of a pool. Rounds against the caller: outputs down, inputs and fees up.
/// @dev Amounts are raw. 512-bit intermediates (`mulDiv`) keep it exact; a result that does not fit 256 bits panics.
/// IPool documents the order in which a swap checks its arguments.
library PoolMath {
    using Math for uint256;

    /// @notice The output of an exact input before the fee, rounded down.
    function grossOut(uint256 originAmount, Asset memory origin, Asset memory target) internal pure returns (uint256) {
        return originAmount.mulDiv(origin.price * target.unit, target.price * origin.unit);
    }

    /// @notice The fee on a gross output, rounded up.
    /// @param gross Output before the fee.
    /// @param epsilon The fee, scaled by 1e18.
    function feeOn(uint256 gross, uint256 epsilon) internal pure returns (uint256) {
        return gross.mulDiv(epsilon, WAD, Math.Rounding.Ceil);
    }

    /// @notice The output of an exact input after the fee.
    function quoteExactIn(uint256 originAmount, Asset memory origin, Asset memory target, uint256 epsilon)
        internal
        pure
        returns (uint256)
    {
        uint256 gross = grossOut(originAmount, origin, target);
        return gross - feeOn(gross, epsilon);
    }

    /// @notice The smallest gross output from which the fee leaves an exact output.
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
    /// @dev Computed from the values before the swap, which changes the total value only by its fee.
    /// @param alpha The halt, scaled by 1e18.
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

    /// @notice The amount of one token in the first deposit of a value: half of the value, rounded up.
    /// @param value Dollars, 18 decimals.
    function firstDeposit(uint256 value, uint256 price, uint256 unit) internal pure returns (uint256) {
        return value.mulDiv(PRICE_ONE * unit, 2 * price * WAD, Math.Rounding.Ceil);
    }

    /// @notice The value of the pool for later deposits: twice its quote side, dollars, 18 decimals.
    function poolValue(uint256 quoteReserve, uint256 quoteUnit) internal pure returns (uint256) {
        return 2 * quoteReserve * WAD / quoteUnit;
    }

    /// @notice The amount of one token in a later deposit, rounded up.
    /// @param value Dollars, 18 decimals.
    /// @param reserve The pool's balance of the token, raw.
    /// @param total The value of the pool, from `poolValue`.
    function depositShare(uint256 value, uint256 reserve, uint256 total) internal pure returns (uint256) {
        return value.mulDiv(reserve, total, Math.Rounding.Ceil);
    }

    /// @notice The LP tokens of a later deposit, rounded down.
    function lpFor(uint256 value, uint256 supply, uint256 total) internal pure returns (uint256) {
        return value.mulDiv(supply, total);
    }

    /// @notice The share of one reserve that LP tokens redeem, rounded down.
    function withdrawShare(uint256 lpAmount, uint256 reserve, uint256 supply) internal pure returns (uint256) {
        return lpAmount.mulDiv(reserve, supply);
    }
}
