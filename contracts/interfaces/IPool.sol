// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {IRateErrors} from "./IRateReader.sol";

/// @title IPool
/// @notice A pool of two currencies that converts at the oracle price less a flat fee, up to a limit per side.
/// @dev The DFX v2 / Stabull v1 family has the same selectors; `maxOrigin`, `depositWithMin`, `withdrawTo` and the guardian
/// are extensions. The pool is its own LP token, 18 decimals. Index 0 is the base (foreign) token, index 1 the quote token.
/// Amounts are raw token units unless a parameter says otherwise; "value" is dollars with 18 decimals.
///
/// A swap and its view check in this order, so that both report the same cause:
/// 1. {DeadlinePassed} (swaps only), 2. {Frozen}, 3. {UnsupportedToken} for origin, then target, then {SameToken},
/// 4. {ZeroAmount}, 5. the origin's price, then the target's: {InvalidPrice}, {StalePrice},
/// 6. {AboveMaxOrigin}, 7. {ZeroAmount} when the output rounds to zero,
/// 8. the bound of the caller (swaps only): {BelowMinTarget}, or {AboveMaxInput} in `targetSwap`.
interface IPool is IERC20Metadata, IRateErrors {
    /// @notice Emitted when a swap completes.
    /// @param trader The caller: the router for a routed swap.
    /// @param origin The token paid.
    /// @param target The token received.
    /// @param originAmount The amount paid, raw.
    /// @param targetAmount The amount received after the fee, raw.
    /// @param rawProtocolFee Always 0: the whole fee stays in the pool.
    event Trade(
        address indexed trader,
        address indexed origin,
        address indexed target,
        uint256 originAmount,
        uint256 targetAmount,
        int128 rawProtocolFee
    );

    /// @notice Emitted when the owner freezes or unfreezes the pool, or the guardian freezes it.
    /// @param isFrozen The new state.
    event FrozenSet(bool isFrozen);

    /// @notice Emitted when the owner sets the guardian.
    /// @param previousGuardian The guardian until now, or zero.
    /// @param newGuardian The new guardian, or zero for none.
    event GuardianSet(address indexed previousGuardian, address indexed newGuardian);

    /// @notice Thrown when the block timestamp is not before the deadline.
    /// @param deadline Unix seconds.
    error DeadlinePassed(uint256 deadline);

    /// @notice Thrown by swaps, quotes of swaps, and deposits while the pool is frozen.
    error Frozen();

    /// @notice Thrown when the guardian unfreezes the pool, which only the owner may do.
    /// @param guardian The caller.
    error GuardianCannotUnfreeze(address guardian);

    /// @notice Thrown when a token is not one of the pool's two.
    /// @param token The token.
    error UnsupportedToken(address token);

    /// @notice Thrown when origin and target, or base and quote, are the same token.
    /// @param token That token.
    error SameToken(address token);

    /// @notice Thrown when an amount is zero, or so small that its output rounds to zero.
    error ZeroAmount();

    /// @notice Thrown when the input of a swap is above the limit of the pool.
    /// @param originAmount The input of the swap, raw.
    /// @param maxOrigin The limit of the pool, raw.
    error AboveMaxOrigin(uint256 originAmount, uint256 maxOrigin);

    /// @notice Thrown when the input for an exact output is above the maximum of the caller.
    /// @dev Routers throw it too, for the whole route.
    /// @param originAmount The input of the swap, raw.
    /// @param maxOriginAmount The caller's maximum, raw.
    error AboveMaxInput(uint256 originAmount, uint256 maxOriginAmount);

    /// @notice Thrown when the output of a swap is below the minimum of the caller.
    /// @param targetAmount The output of the swap, raw.
    /// @param minTarget The caller's `minTargetAmount`, raw.
    error BelowMinTarget(uint256 targetAmount, uint256 minTarget);

    /// @notice Thrown when a deposit takes an amount of a token outside the bounds of the caller.
    /// @param token The token.
    /// @param amount The amount that the deposit takes, raw.
    /// @param min The caller's lower bound, raw.
    /// @param max The caller's upper bound, raw.
    error DepositOutOfBounds(address token, uint256 amount, uint256 min, uint256 max);

    /// @notice Thrown when a deposit mints fewer LP tokens than the minimum of the caller.
    /// @param lpAmount The LP tokens of the deposit, 18 decimals.
    /// @param minLpAmount The caller's minimum, 18 decimals.
    error BelowMinLp(uint256 lpAmount, uint256 minLpAmount);

    /// @notice Thrown when the recipient of a withdrawal is zero or the pool.
    /// @param recipient The recipient.
    error InvalidRecipient(address recipient);

    /// @notice Thrown when a withdrawal exceeds the supply of LP tokens.
    /// @param lpAmount The LP tokens to withdraw, 18 decimals.
    /// @param supply The total supply, 18 decimals.
    error AboveSupply(uint256 lpAmount, uint256 supply);

    /// @notice Thrown when the pool receives less of a token than was sent, as with a fee on transfer.
    /// @param token The token.
    /// @param expected The amount sent, raw.
    /// @param received The amount received, raw.
    error TransferMismatch(address token, uint256 expected, uint256 received);

    /// @notice Thrown by the constructor unless alpha is above 0 and below 1.
    /// @param alpha The value, scaled by 1e18.
    error InvalidAlpha(uint256 alpha);

    /// @notice Thrown by the constructor when epsilon is above 1 %.
    /// @param epsilon The value, scaled by 1e18.
    error InvalidEpsilon(uint256 epsilon);

    /// @notice Thrown by the constructor when a reader prices another token.
    /// @param reader The reader.
    /// @param token The token that it should price.
    error ReaderMismatch(address reader, address token);

    /// @notice Thrown when a token index is neither 0 nor 1.
    /// @param index The index.
    error UnknownIndex(uint256 index);

    /// @notice Quotes the output of an exact input.
    /// @param origin The token to pay, one of the pool's two.
    /// @param target The token to receive, the pool's other token.
    /// @param originAmount The amount to pay, raw.
    /// @return targetAmount The amount received after the fee, raw, rounded down.
    function viewOriginSwap(address origin, address target, uint256 originAmount)
        external
        view
        returns (uint256 targetAmount);

    /// @notice Swaps an exact input.
    /// @param origin The token to pay; the caller has approved it to the pool.
    /// @param target The token to receive.
    /// @param originAmount The amount to pay, raw.
    /// @param minTargetAmount The minimum output, raw.
    /// @param deadline Unix seconds. The block timestamp must be before it.
    /// @return targetAmount The amount received, raw.
    function originSwap(
        address origin,
        address target,
        uint256 originAmount,
        uint256 minTargetAmount,
        uint256 deadline
    ) external returns (uint256 targetAmount);

    /// @notice Quotes the smallest input that buys an exact output.
    /// @dev Panics with an overflow when that input does not fit 256 bits.
    /// @param origin The token to pay.
    /// @param target The token to receive.
    /// @param targetAmount The amount to receive after the fee, raw.
    /// @return originAmount The amount to pay, raw, rounded up.
    function viewTargetSwap(address origin, address target, uint256 targetAmount)
        external
        view
        returns (uint256 originAmount);

    /// @notice Swaps for an exact output.
    /// @param origin The token to pay; the caller has approved it to the pool.
    /// @param target The token to receive.
    /// @param maxOriginAmount The maximum input, raw.
    /// @param targetAmount The amount to receive, raw.
    /// @param deadline Unix seconds. The block timestamp must be before it.
    /// @return originAmount The amount paid, raw.
    function targetSwap(
        address origin,
        address target,
        uint256 maxOriginAmount,
        uint256 targetAmount,
        uint256 deadline
    ) external returns (uint256 originAmount);

    /// @notice The largest input that the pool accepts in this direction; 0 if it accepts none.
    /// @dev Not in the family. No swap leaves the target's side below `1 - alpha` of half the pool's value.
    /// @param origin The token to pay.
    /// @param target The token to receive.
    /// @return originAmount The limit, raw.
    function maxOrigin(address origin, address target) external view returns (uint256 originAmount);

    /// @notice Quotes a deposit of a value.
    /// @dev Only the first deposit reads the oracles. Later ones take both tokens in the proportion of the
    /// reserves, and value the pool as twice its quote side, as the family does.
    /// @param value Dollars, 18 decimals.
    /// @return lpAmount LP tokens for the depositor, 18 decimals, rounded down.
    /// @return amounts The amounts to pay, raw, [base, quote], rounded up.
    function viewDeposit(uint256 value) external view returns (uint256 lpAmount, uint256[] memory amounts);

    /// @notice Deposits both tokens and mints LP tokens.
    /// @dev Bounds are ordered quote before base. LP tokens are minted after the pool has received both tokens. A token that
    /// calls out from a transfer finds `totalSupply` without them, while all views of the pool that read reserves revert.
    /// Contracts that value LP tokens read `viewWithdraw`, not balances and supply.
    /// @param value Dollars, 18 decimals.
    /// @param minQuote The minimum amount of the quote token, raw.
    /// @param minBase The minimum amount of the base token, raw.
    /// @param maxQuote The maximum amount of the quote token, raw.
    /// @param maxBase The maximum amount of the base token, raw.
    /// @param deadline Unix seconds. The block timestamp must be before it.
    /// @return lpAmount LP tokens minted, 18 decimals.
    /// @return amounts The amounts paid, raw, [base, quote].
    function deposit(
        uint256 value,
        uint256 minQuote,
        uint256 minBase,
        uint256 maxQuote,
        uint256 maxBase,
        uint256 deadline
    ) external returns (uint256 lpAmount, uint256[] memory amounts);

    /// @notice Deposits both tokens and mints LP tokens, at least a minimum.
    /// @dev Not in the family. Like `deposit`, with a bound on what the caller receives instead of lower bounds on what it
    /// pays. Checks the maximum of the quote token, of the base token, and then the LP tokens.
    /// @param value Dollars, 18 decimals.
    /// @param minLpAmount The minimum of LP tokens for the caller, 18 decimals.
    /// @param maxQuote The maximum amount of the quote token, raw.
    /// @param maxBase The maximum amount of the base token, raw.
    /// @param deadline Unix seconds. The block timestamp must be before it.
    /// @return lpAmount LP tokens minted, 18 decimals.
    /// @return amounts The amounts paid, raw, [base, quote].
    function depositWithMin(
        uint256 value,
        uint256 minLpAmount,
        uint256 maxQuote,
        uint256 maxBase,
        uint256 deadline
    ) external returns (uint256 lpAmount, uint256[] memory amounts);

    /// @notice Quotes a withdrawal.
    /// @dev Also works while the pool is frozen or a price is stale: it reads no oracle.
    /// @param lpAmount LP tokens, 18 decimals.
    /// @return amounts The amounts to receive, raw, [base, quote], rounded down.
    function viewWithdraw(uint256 lpAmount) external view returns (uint256[] memory amounts);

    /// @notice Burns LP tokens for their share of both reserves.
    /// @dev Also works while the pool is frozen or a price is stale: it reads no oracle.
    /// @param lpAmount LP tokens to burn, 18 decimals.
    /// @param deadline Unix seconds. The block timestamp must be before it.
    /// @return amounts The amounts received, raw, [base, quote].
    function withdraw(uint256 lpAmount, uint256 deadline) external returns (uint256[] memory amounts);

    /// @notice Burns LP tokens of the caller, and pays their share of both reserves to another account.
    /// @dev Not in the family. Like `withdraw`, for a holder that a token refuses to pay.
    /// @param lpAmount LP tokens to burn, 18 decimals.
    /// @param recipient The account that receives both tokens, neither zero nor the pool.
    /// @param deadline Unix seconds. The block timestamp must be before it.
    /// @return amounts The amounts that the recipient receives, raw, [base, quote].
    function withdrawTo(uint256 lpAmount, address recipient, uint256 deadline)
        external
        returns (uint256[] memory amounts);

    /// @notice Freezes or unfreezes swaps and deposits. The owner may do both, the guardian may only freeze.
    /// @param isFrozen The new state.
    function setFrozen(bool isFrozen) external;

    /// @notice Replaces the guardian. Only the owner may call it.
    /// @dev A new owner inherits the guardian.
    /// @param newGuardian An account that may freeze the pool, or zero for none.
    function setGuardian(address newGuardian) external;

    /// @notice The family's curve parameters, 18 decimals.
    /// @dev This pool has no price penalty, so beta, delta and lambda are 0.
    /// @return alpha How far the value of a side may fall below half of the pool's, as a fraction.
    /// @return beta 0.
    /// @return delta 0.
    /// @return epsilon The fee on the output of a swap, as a fraction.
    /// @return lambda 0.
    function viewCurve()
        external
        view
        returns (uint256 alpha, uint256 beta, uint256 delta, uint256 epsilon, uint256 lambda);

    /// @notice The value of the reserves at the oracle prices.
    /// @dev Reverts like a swap if a price is stale or invalid.
    /// @return total Dollars, 18 decimals.
    /// @return individual The value of each side, dollars, 18 decimals, [base, quote], rounded down.
    function liquidity() external view returns (uint256 total, uint256[] memory individual);

    /// @notice The rate reader of a token; zero for a token that is not in the pool.
    /// @param token The token.
    function assimilator(address token) external view returns (address);

    /// @notice A token of the pool.
    /// @param index 0 for the base, 1 for the quote.
    function numeraires(uint256 index) external view returns (address);

    /// @notice Same as `numeraires`; the family's name for the token that the pool holds.
    /// @param index 0 for the base, 1 for the quote.
    function reserves(uint256 index) external view returns (address);

    /// @notice Same as `numeraires`; the family's name for the token that the pool accepts.
    /// @param index 0 for the base, 1 for the quote.
    function derivatives(uint256 index) external view returns (address);

    /// @notice Whether swaps and deposits revert.
    function frozen() external view returns (bool);

    /// @notice Always false. Withdrawals always work, so there is no emergency mode as in the family.
    function emergency() external view returns (bool);

    /// @notice The account that may freeze the pool and may not unfreeze it; zero for none.
    function guardian() external view returns (address);

    /// @notice The account that may freeze and unfreeze the pool, and that sets the guardian.
    function owner() external view returns (address);
}
