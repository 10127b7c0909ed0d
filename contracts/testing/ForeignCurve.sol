// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev One as a 64.64 fixed-point number, the format of all numbers here.
int256 constant ONE = 1 << 64;

/// @dev A foreign pool's parameters.
/// @param alpha The halt: how far a side may move from half of the pool's value.
/// @param beta The flat zone: how far it may move without a penalty.
/// @param delta How steeply the penalty grows beyond it.
/// @param epsilon The fee.
/// @param lambda The part of the penalty paid back to a swap that brings a side nearer to half.
struct Curve {
    int256 alpha;
    int256 beta;
    int256 delta;
    int256 epsilon;
    int256 lambda;
}

/// @title ForeignCurve
/// @notice The price of a pool of the DFX v2 / Stabull v1 family: the oracle price up to some imbalance, worse beyond,
/// none past the halt. An iteration computes it, and may not converge.
/// @dev For tests: the service must quote this curve without an implementation of it. Products round toward minus
/// infinity and quotients toward zero, as the family's do.
library ForeignCurve {
    uint256 private constant MAX_STEPS = 32;

    /// @dev Two steps are equal if they differ by less than half a millionth of a dollar.
    int256 private constant EQUAL_WITHIN = 1e13;

    /// @dev A millionth of a dollar: the utility that a swap may lose.
    int256 private constant MAX_LOSS = 0x10C6F7A0B5EE;

    /// @notice The product.
    function mul(int256 x, int256 y) internal pure returns (int256) {
        return (x * y) >> 64;
    }

    /// @notice The quotient of two whole numbers, which must fit 64 bits before the binary point.
    function divu(uint256 x, uint256 y) internal pure returns (int256 result) {
        // The family's library has no revert message either.
        require(x <= type(uint192).max);
        result = int256((x << 64) / y);
        require(result <= type(int128).max);
    }

    /// @notice The product with a whole number, as a whole number.
    function mulu(int256 x, uint256 y) internal pure returns (uint256) {
        return (uint256(x) * y) >> 64;
    }

    /// @notice The parameters, from values scaled by 1e18.
    /// @param feeAtHalt The penalty at the halt.
    function create(uint256 alpha, uint256 beta, uint256 feeAtHalt, uint256 epsilon, uint256 lambda)
        internal
        pure
        returns (Curve memory curve)
    {
        curve.alpha = divu(alpha + 1, 1e18);
        curve.beta = divu(beta + 1, 1e18);
        curve.delta = divu(feeAtHalt, 1e18) * ONE / mul(2 * ONE, curve.alpha - curve.beta) + 18;
        curve.epsilon = divu(epsilon + 1, 1e18);
        curve.lambda = divu(lambda + 1, 1e18);
    }

    /// @notice The change of one side before the fee, for a given change of the other side.
    /// @param balances The values of both sides before the swap.
    /// @param given The side whose change is given.
    /// @param amount That change.
    function trade(Curve memory curve, int256[2] memory balances, uint256 given, int256 amount)
        internal
        pure
        returns (int256 change)
    {
        uint256 other = 1 - given;
        int256 before = penalty(curve, balances);
        int256[2] memory next = [balances[0], balances[1]];
        next[given] += amount;
        change = -amount;
        next[other] = balances[other] + change;
        for (uint256 step = 0; step < MAX_STEPS; step++) {
            int256 saved = before - penalty(curve, next);
            int256 last = change;
            change = -(amount + (saved < 0 ? saved : mul(curve.lambda, saved)));
            next[other] = balances[other] + change;
            if (change / EQUAL_WITHIN == last / EQUAL_WITHIN) {
                _checkHalts(curve.alpha, balances, next);
                int256 lost = before - penalty(curve, next) + amount + change;
                require(lost >= -MAX_LOSS, "Curve/swap-invariant-violation");
                return change;
            }
        }
        revert("Curve/swap-convergence-failed");
    }

    /// @notice The penalty for the imbalance of both sides.
    function penalty(Curve memory curve, int256[2] memory balances) internal pure returns (int256) {
        int256 ideal = (balances[0] + balances[1]) / 2;
        return _penaltyOf(curve, balances[0], ideal) + _penaltyOf(curve, balances[1], ideal);
    }

    function _penaltyOf(Curve memory curve, int256 balance, int256 ideal) private pure returns (int256) {
        int256 margin = balance < ideal
            ? mul(ideal, ONE - curve.beta) - balance
            : balance - mul(ideal, ONE + curve.beta);
        if (margin <= 0) return 0;
        int256 rate = mul(margin, curve.delta) * ONE / ideal;
        return mul(rate > ONE / 4 ? ONE / 4 : rate, margin);
    }

    /// @dev A side already beyond the halt may stay there, as long as it moves no further.
    function _checkHalts(int256 alpha, int256[2] memory before, int256[2] memory next) private pure {
        int256 idealBefore = (before[0] + before[1]) / 2;
        int256 ideal = (next[0] + next[1]) / 2;
        for (uint256 i = 0; i < 2; i++) {
            int256 above = next[i] - mul(ideal, ONE + alpha);
            int256 aboveBefore = before[i] - mul(idealBefore, ONE + alpha);
            require(above <= 0 || (aboveBefore >= 0 && above <= aboveBefore), "Curve/upper-halt");
            int256 below = mul(ideal, ONE - alpha) - next[i];
            int256 belowBefore = mul(idealBefore, ONE - alpha) - before[i];
            require(below <= 0 || (belowBefore >= 0 && below <= belowBefore), "Curve/lower-halt");
        }
    }
}
