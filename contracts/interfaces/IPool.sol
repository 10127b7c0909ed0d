// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {IRateErrors} from "./IRateReader.sol";

/// @title IPool
/// @notice A pool of two currencies that converts at the oracles' price less a flat fee, until one side runs short.
/// @dev Selectors are those of the DFX v2 / Stabull v1 family; `maxOrigin` is an extension. The pool is its own LP
/// token, 18 decimals. Index 0 is the base (foreign) token, index 1 the quote token. Amounts are raw token units unless
/// a parameter says otherwise; "value" is dollars with 18 decimals.
///
/// A swap and its view check in this order, so that everyone names the same cause:
/// 1. {DeadlinePassed} (swaps only), 2. {Frozen}, 3. {UnsupportedToken} for origin, then target, then {SameToken},
/// 4. {ZeroAmount}, 5. the origin's price, then the target's: {InvalidPrice}, {StalePrice},
/// 6. {AboveMaxOrigin}, 7. {ZeroAmount} when the output rounds to zero,
/// 8. the caller's own bound (swaps only): {BelowMinTarget}, or {AboveMaxOrigin} in `targetSwap`.
interface IPool is IERC20Metadata, IRateErrors {
    /// @notice Emitted when a swap is done.
    /// @param trader The caller: the router, if the swap was routed.
    /// @param origin The token paid.
    /// @param target The token received.
    /// @param originAmount What was paid, raw.
    /// @param targetAmount What was received after the fee, raw.
    /// @param rawProtocolFee Always 0: the whole fee stays in the pool.
    event Trade(
        address indexed trader,
        address indexed origin,
        address indexed target,
        uint256 originAmount,
        uint256 targetAmount,
        int128 rawProtocolFee
    );

    /// @notice Emitted when the owner freezes or unfreezes the pool.
    /// @param isFrozen What it is now.
    event FrozenSet(bool isFrozen);

    /// @notice Thrown when the block's time is not before the deadline.
    /// @param deadline Unix seconds.
    error DeadlinePassed(uint256 deadline);

    /// @notice Thrown when a frozen pool is asked to swap, to quote a swap, or to take a deposit.
    error Frozen();

    /// @notice Thrown when a token is not one of the pool's two.
    /// @param token What was asked for.
    error UnsupportedToken(address token);

    /// @notice Thrown when origin and target, or base and quote, are the same token.
    /// @param token That token.
    error SameToken(address token);

    /// @notice Thrown when an amount is zero, or so small that what it buys rounds to zero.
    error ZeroAmount();

    /// @notice Thrown when a swap pays in more than the pool takes, or more than the caller allows.
    /// @param originAmount What the swap pays in, raw.
    /// @param maxOrigin The pool's limit, or the caller's `maxOriginAmount`, raw.
    error AboveMaxOrigin(uint256 originAmount, uint256 maxOrigin);

    /// @notice Thrown when a swap pays out less than the caller demands.
    /// @param targetAmount What the swap pays out, raw.
    /// @param minTarget The caller's `minTargetAmount`, raw.
    error BelowMinTarget(uint256 targetAmount, uint256 minTarget);

    /// @notice Thrown when a deposit takes an amount of a token outside of the bounds that the caller gave.
    /// @param token The token.
    /// @param amount What the deposit takes of it, raw.
    /// @param min The caller's lower bound, raw.
    /// @param max The caller's upper bound, raw.
    error DepositOutOfBounds(address token, uint256 amount, uint256 min, uint256 max);

    /// @notice Thrown when more LP tokens are to be withdrawn than exist.
    /// @param lpAmount What was asked for, 18 decimals.
    /// @param supply What exists, 18 decimals.
    error AboveSupply(uint256 lpAmount, uint256 supply);

    /// @notice Thrown when less of a token arrived than was sent, as with a fee on transfer.
    /// @param token The token.
    /// @param expected What was sent, raw.
    /// @param received What arrived, raw.
    error TransferMismatch(address token, uint256 expected, uint256 received);

    /// @notice Thrown by the constructor when alpha is not between 0 and 1, both excluded.
    /// @param alpha As a part of 1e18.
    error InvalidAlpha(uint256 alpha);

    /// @notice Thrown by the constructor when epsilon is above 1 %.
    /// @param epsilon As a part of 1e18.
    error InvalidEpsilon(uint256 epsilon);

    /// @notice Thrown by the constructor when a reader prices another token.
    /// @param reader The reader.
    /// @param token The token that it should price.
    error ReaderMismatch(address reader, address token);

    /// @notice Thrown when a token index is neither 0 nor 1.
    /// @param index What was asked for.
    error UnknownIndex(uint256 index);

    /// @notice What an exact input buys now.
    /// @param origin The token to pay, one of the pool's two.
    /// @param target The token to receive, the other one.
    /// @param originAmount What is paid, raw.
    /// @return targetAmount What is received after the fee, raw, rounded down.
    function viewOriginSwap(address origin, address target, uint256 originAmount)
        external
        view
        returns (uint256 targetAmount);

    /// @notice Pays an exact input and receives what it buys.
    /// @param origin The token to pay; the caller has approved it to the pool.
    /// @param target The token to receive.
    /// @param originAmount What is paid, raw.
    /// @param minTargetAmount The least that the caller accepts, raw.
    /// @param deadline Unix seconds. The block's time must be before it, not equal.
    /// @return targetAmount What was received, raw.
    function originSwap(
        address origin,
        address target,
        uint256 originAmount,
        uint256 minTargetAmount,
        uint256 deadline
    ) external returns (uint256 targetAmount);

    /// @notice The smallest input that buys an exact output now.
    /// @dev Panics with an overflow when that input does not fit 256 bits.
    /// @param origin The token to pay.
    /// @param target The token to receive.
    /// @param targetAmount What is received after the fee, raw.
    /// @return originAmount What is paid, raw, rounded up.
    function viewTargetSwap(address origin, address target, uint256 targetAmount)
        external
        view
        returns (uint256 originAmount);

    /// @notice Receives an exact output and pays what it costs.
    /// @param origin The token to pay; the caller has approved it to the pool.
    /// @param target The token to receive.
    /// @param maxOriginAmount The most that the caller pays, raw.
    /// @param targetAmount What is received, raw.
    /// @param deadline Unix seconds. The block's time must be before it, not equal.
    /// @return originAmount What was paid, raw.
    function targetSwap(
        address origin,
        address target,
        uint256 maxOriginAmount,
        uint256 targetAmount,
        uint256 deadline
    ) external returns (uint256 originAmount);

    /// @notice The largest input that the pool takes in this direction now; 0 when it takes none.
    /// @dev Not in the family. No swap leaves the target's side below `1 - alpha` of half the pool's value.
    /// @param origin The token to pay.
    /// @param target The token to receive.
    /// @return originAmount The limit, raw.
    function maxOrigin(address origin, address target) external view returns (uint256 originAmount);

    /// @notice What a deposit of a value takes and gives.
    /// @dev Only the first deposit reads the oracles. Later ones take both tokens in the pool's own proportion, and
    /// count value as twice the quote side, as the family does.
    /// @param value Dollars, 18 decimals.
    /// @return lpAmount LP tokens for the depositor, 18 decimals, rounded down.
    /// @return amounts What is paid in, raw, [base, quote], rounded up.
    function viewDeposit(uint256 value) external view returns (uint256 lpAmount, uint256[] memory amounts);

    /// @notice Pays in both tokens and receives LP tokens.
    /// @dev Mind the order: quote before base.
    /// @param value Dollars, 18 decimals.
    /// @param minQuote The least of the quote token that the caller means to pay, raw.
    /// @param minBase The least of the base token, raw.
    /// @param maxQuote The most of the quote token, raw.
    /// @param maxBase The most of the base token, raw.
    /// @param deadline Unix seconds. The block's time must be before it, not equal.
    /// @return lpAmount LP tokens received, 18 decimals.
    /// @return amounts What was paid in, raw, [base, quote].
    function deposit(
        uint256 value,
        uint256 minQuote,
        uint256 minBase,
        uint256 maxQuote,
        uint256 maxBase,
        uint256 deadline
    ) external returns (uint256 lpAmount, uint256[] memory amounts);

    /// @notice What LP tokens are worth in both tokens.
    /// @dev Works while the pool is frozen or a price is stale: it reads no oracle.
    /// @param lpAmount LP tokens, 18 decimals.
    /// @return amounts What is paid out, raw, [base, quote], rounded down.
    function viewWithdraw(uint256 lpAmount) external view returns (uint256[] memory amounts);

    /// @notice Burns LP tokens and receives their part of both reserves.
    /// @dev Works while the pool is frozen or a price is stale: it reads no oracle.
    /// @param lpAmount LP tokens to burn, 18 decimals.
    /// @param deadline Unix seconds. The block's time must be before it, not equal.
    /// @return amounts What was paid out, raw, [base, quote].
    function withdraw(uint256 lpAmount, uint256 deadline) external returns (uint256[] memory amounts);

    /// @notice Freezes or unfreezes swaps and deposits. Only the owner may.
    /// @param isFrozen What it is to be.
    function setFrozen(bool isFrozen) external;

    /// @notice The family's curve parameters, 18 decimals.
    /// @dev This pool has no price penalty, so beta, delta and lambda are 0.
    /// @return alpha How far a side's value may fall below half the pool's, as a part of 1.
    /// @return beta 0.
    /// @return delta 0.
    /// @return epsilon The fee on what a swap pays out, as a part of 1.
    /// @return lambda 0.
    function viewCurve()
        external
        view
        returns (uint256 alpha, uint256 beta, uint256 delta, uint256 epsilon, uint256 lambda);

    /// @notice The value of the reserves at the oracles' prices.
    /// @dev Reads the oracles and fails like a swap when a price does not count.
    /// @return total Dollars, 18 decimals.
    /// @return individual The two sides, dollars, 18 decimals, [base, quote], rounded down.
    function liquidity() external view returns (uint256 total, uint256[] memory individual);

    /// @notice The reader of a token's price; zero for a token that is not the pool's.
    /// @param token The token.
    function assimilator(address token) external view returns (address);

    /// @notice A token of the pool.
    /// @param index 0 for the base, 1 for the quote.
    function numeraires(uint256 index) external view returns (address);

    /// @notice The same as `numeraires`: the family's name for the token that is held.
    /// @param index 0 for the base, 1 for the quote.
    function reserves(uint256 index) external view returns (address);

    /// @notice The same as `numeraires`: the family's name for the token that is accepted.
    /// @param index 0 for the base, 1 for the quote.
    function derivatives(uint256 index) external view returns (address);

    /// @notice Whether swaps and deposits are refused.
    function frozen() external view returns (bool);

    /// @notice Always false: the family's emergency mode does not exist here, since withdrawing always works.
    function emergency() external view returns (bool);

    /// @notice Who may freeze the pool.
    function owner() external view returns (address);
}
