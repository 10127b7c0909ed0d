// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev One side of a pool.
/// @param balance The pool's balance of the token, in raw units.
/// @param rate The answer of the oracle, taken as unsigned.
/// @param oracleUnit Ten to the power of the oracle's decimals.
/// @param tokenUnit Ten to the power of the token's decimals.
struct Side {
    uint256 balance;
    uint256 rate;
    uint256 oracleUnit;
    uint256 tokenUnit;
}

/// @dev A pool of the family at one block: the parameters as 64.64 numbers, and both sides.
struct World {
    int128 alpha;
    int128 beta;
    int128 delta;
    int128 epsilon;
    int128 lambda;
    Side[2] sides;
}

/// @title FamilyCurve
/// @notice What a pool of the DFX v2 / Stabull v1 family pays, with its rounding and its refusals, for a world that the caller
/// passes. It is what our computation of that curve is held to.
/// @dev For tests. Written from a description of the arithmetic, on the types of the family, so that what does not fit a
/// type reverts as it does there: 64.64 results without a reason, Solidity's own operators with a panic.
contract FamilyCurve {
    int128 private constant _ONE = 1 << 64;

    /// @dev Half, and what the division of 1e18 by itself loses.
    int128 private constant _WEIGHT = (1 << 63) + 18;

    /// @dev A quarter: the steepest penalty.
    int128 private constant _MAX_RATE = 0x4000000000000000;

    /// @dev A millionth of a dollar: what a swap may take from the utility of a pool.
    int128 private constant _MAX_LOSS = 0x10C6F7A0B5EE;

    uint256 private constant _MAX_ROUNDS = 32;

    /// @dev The values of both sides before and after the given change, and their sums.
    struct Balances {
        int128[2] old;
        int128[2] current;
        int128 oldTotal;
        int128 total;
    }

    /// @notice The output of an exact input, as the view of a pool computes it.
    function viewOrigin(World calldata world, uint256 paid, uint256 amount) external pure returns (uint256) {
        (Balances memory balances, int128 given) = _viewBalances(world, paid, amount, false);
        return _payOut(world, balances, paid, given);
    }

    /// @notice The output of an exact input, as a swap computes it once the pool has received the input.
    function executeOrigin(World calldata world, uint256 paid, uint256 amount) external pure returns (uint256) {
        Balances memory balances;
        int128 given;
        for (uint256 i = 0; i < 2; i++) {
            Side calldata side = world.sides[i];
            if (i == paid) {
                balances.current[i] = _toNumeraire(side, side.balance + amount);
                given = _toNumeraire(side, amount);
                balances.old[i] = balances.current[i] - given;
            } else {
                balances.old[i] = _toNumeraire(side, side.balance);
                balances.current[i] = balances.old[i];
            }
        }
        return _payOut(world, balances, paid, given);
    }

    /// @notice The input of an exact output, as the view of a pool computes it.
    function viewTarget(World calldata world, uint256 paid, uint256 amount) external pure returns (uint256) {
        uint256 received = 1 - paid;
        (Balances memory balances, int128 given) = _viewBalances(world, received, amount, true);
        int128 cost = _mul(_trade(world, balances, given, paid), _ONE + world.epsilon);
        require(cost >= 0);
        return _toRaw(world.sides[paid], cost);
    }

    function _payOut(World calldata world, Balances memory balances, uint256 paid, int128 given)
        private
        pure
        returns (uint256)
    {
        uint256 received = 1 - paid;
        int128 change = _mul(_trade(world, balances, given, received), _ONE - world.epsilon);
        require(change != type(int128).min);
        return _toRaw(world.sides[received], change < 0 ? -change : change);
    }

    function _viewBalances(World calldata world, uint256 changed, uint256 amount, bool isPaidOut)
        private
        pure
        returns (Balances memory balances, int128 given)
    {
        for (uint256 i = 0; i < 2; i++) {
            if (i == changed) {
                given = _toNumeraire(world.sides[i], amount);
                if (isPaidOut) given = -given;
            }
            balances.old[i] = _toNumeraire(world.sides[i], world.sides[i].balance);
            balances.current[i] = i == changed ? balances.old[i] + given : balances.old[i];
        }
    }

    /// @dev The change of the sought side for the given change of the other side.
    function _trade(World calldata world, Balances memory balances, int128 given, uint256 sought)
        private
        pure
        returns (int128 change)
    {
        balances.oldTotal = balances.old[0] + balances.old[1];
        balances.total = balances.current[0] + balances.current[1] - given;
        balances.current[sought] -= given;
        int128 omega = _penalty(world, balances.old, balances.oldTotal);
        change = -given;
        for (uint256 round = 0; round < _MAX_ROUNDS; round++) {
            int128 psi = _penalty(world, balances.current, balances.total);
            int128 last = change;
            change = omega < psi ? -(given + omega - psi) : -(given + _mul(world.lambda, omega - psi));
            balances.total = balances.oldTotal + given + change;
            balances.current[sought] = balances.old[sought] + change;
            if (change / 1e13 == last / 1e13) {
                _checkHalts(world.alpha, balances);
                int128 gain = (balances.total - psi) - (balances.oldTotal - omega);
                require(gain >= -_MAX_LOSS, "Curve/swap-invariant-violation");
                return change;
            }
        }
        revert("Curve/swap-convergence-failed");
    }

    function _penalty(World calldata world, int128[2] memory balances, int128 total) private pure returns (int128 sum) {
        int128 ideal = _mul(total, _WEIGHT);
        for (uint256 i = 0; i < 2; i++) {
            int128 balance = balances[i];
            int128 margin;
            if (balance < ideal) {
                int128 threshold = _mul(ideal, _ONE - world.beta);
                if (balance < threshold) margin = threshold - balance;
            } else {
                int128 threshold = _mul(ideal, _ONE + world.beta);
                if (balance > threshold) margin = balance - threshold;
            }
            if (margin == 0) continue;
            int128 rate = _div(_mul(margin, world.delta), ideal);
            sum += _mul(rate > _MAX_RATE ? _MAX_RATE : rate, margin);
        }
    }

    /// @dev A side that is beyond its halt already may stay there, as long as it moves no further.
    function _checkHalts(int128 alpha, Balances memory balances) private pure {
        for (uint256 i = 0; i < 2; i++) {
            int128 ideal = _mul(balances.total, _WEIGHT);
            int128 balance = balances.current[i];
            int128 oldIdeal = _mul(balances.oldTotal, _WEIGHT);
            if (balance > ideal) {
                int128 halt = _mul(ideal, _ONE + alpha);
                if (balance <= halt) continue;
                int128 oldHalt = _mul(oldIdeal, _ONE + alpha);
                require(balances.old[i] >= oldHalt, "Curve/upper-halt");
                require(balance - halt <= balances.old[i] - oldHalt, "Curve/upper-halt");
            } else {
                int128 halt = _mul(ideal, _ONE - alpha);
                if (balance >= halt) continue;
                int128 oldHalt = _mul(oldIdeal, _ONE - alpha);
                require(balances.old[i] <= oldHalt, "Curve/lower-halt");
                require(halt - balance <= oldHalt - balances.old[i], "Curve/lower-halt");
            }
        }
    }

    function _toNumeraire(Side calldata side, uint256 amount) private pure returns (int128) {
        uint256 value = amount * side.rate / side.oracleUnit;
        // Beyond, the quotient does not fit either: no unit has 20 digits.
        require(value <= type(uint192).max);
        uint256 quotient = (value << 64) / side.tokenUnit;
        require(quotient <= uint128(type(int128).max));
        return int128(uint128(quotient));
    }

    function _toRaw(Side calldata side, int128 value) private pure returns (uint256) {
        return ((uint256(uint128(value)) * side.tokenUnit) >> 64) * side.oracleUnit / side.rate;
    }

    function _mul(int128 x, int128 y) private pure returns (int128) {
        return _narrow(int256(x) * y >> 64);
    }

    function _div(int128 x, int128 y) private pure returns (int128) {
        require(y != 0);
        return _narrow((int256(x) << 64) / y);
    }

    function _narrow(int256 result) private pure returns (int128) {
        require(result >= type(int128).min && result <= type(int128).max);
        return int128(result);
    }
}
