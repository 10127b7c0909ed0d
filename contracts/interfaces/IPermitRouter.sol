// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IPermitRouter
/// @notice What a router can do so that a conversion needs one transaction: take a signature instead of an earlier approval.
/// @dev A router states by ERC-165 that it has these functions; the id of the interface covers the four of them. The owner of
/// the tokens is always the caller: no other account can use a signature, and there are no relays. Reverts of pools,
/// tokens and Permit2 are passed on unchanged, but for the revert of an EIP-2612 permit.
///
/// All four check in this order: 1. {IPool.DeadlinePassed}, 2. {IRouter.NoPath}, 3. {IExactOutRouter.InvalidRecipient}, 4. for
/// an exact output the reverts of the views, last pool first, then {IPool.AboveMaxInput}, 5. the permit, 6. the transfers and
/// swaps.
interface IPermitRouter {
    /// @notice A conversion of an exact input. Its fields are the arguments of `IExactOutRouter.originSwapTo`.
    /// @param quote The intermediate token of a conversion in two hops.
    /// @param origin The token to pay.
    /// @param target The token to receive.
    /// @param originAmount The amount to pay, raw.
    /// @param minTargetAmount The minimum output of the last hop, raw. The hop before it has no minimum.
    /// @param recipient The account that receives the output: the caller, or another.
    /// @param deadline Unix seconds. The block timestamp must be before it.
    struct OriginSwap {
        address quote;
        address origin;
        address target;
        uint256 originAmount;
        uint256 minTargetAmount;
        address recipient;
        uint256 deadline;
    }

    /// @notice A conversion for an exact output. Its fields are the arguments of `IExactOutRouter.targetSwapTo`.
    /// @param quote The intermediate token of a conversion in two hops.
    /// @param origin The token to pay.
    /// @param target The token to receive.
    /// @param maxOriginAmount The maximum input of the first hop, raw.
    /// @param targetAmount The amount to receive after all fees, raw.
    /// @param recipient The account that receives the output: the caller, or another.
    /// @param deadline Unix seconds. The block timestamp must be before it.
    struct TargetSwap {
        address quote;
        address origin;
        address target;
        uint256 maxOriginAmount;
        uint256 targetAmount;
        address recipient;
        uint256 deadline;
    }

    /// @notice An EIP-2612 permit of the caller for the router.
    /// @param amount The allowance to set, raw. What the conversion does not spend of it stays approved.
    /// @param deadline Unix seconds. The block timestamp must not be after it.
    /// @param signature 65 bytes: r, s and v. Any other length goes to the `permit` that takes bytes, which tokens have that
    /// accept the signatures of contracts by ERC-1271.
    struct Permit {
        uint256 amount;
        uint256 deadline;
        bytes signature;
    }

    /// @notice Swaps an exact input, paid by an EIP-2612 permit.
    /// @dev A permit that reverts is ignored, and the allowance decides: another account may have sent the permit already.
    /// @param swap The conversion.
    /// @param permit The permit for the origin token.
    /// @return targetAmount The amount received, raw.
    function originSwapWithPermit(OriginSwap calldata swap, Permit calldata permit)
        external
        returns (uint256 targetAmount);

    /// @notice Swaps for an exact output, paid by an EIP-2612 permit.
    /// @dev A permit that reverts is ignored, and the allowance decides: another account may have sent the permit already.
    /// @param swap The conversion.
    /// @param permit The permit for the origin token.
    /// @return originAmount The amount paid, raw.
    function targetSwapWithPermit(TargetSwap calldata swap, Permit calldata permit)
        external
        returns (uint256 originAmount);

    /// @notice Swaps an exact input, paid by Permit2.
    /// @dev The signature covers the conversion and the digest of its quote as the witness
    /// `OriginSwap(address quote,address origin,address target,uint256 originAmount,uint256 minTargetAmount,address recipient,uint256 deadline,bytes32 quoteDigest)`,
    /// the spender that this router is, the permitted token `origin` and amount `originAmount`, the nonce `quoteDigest` and the
    /// deadline of the conversion.
    /// @param swap The conversion.
    /// @param quoteDigest The digest of the quote. An account can use each digest once.
    /// @param signature The signature of the caller.
    /// @return targetAmount The amount received, raw.
    function originSwapWithPermit2(OriginSwap calldata swap, bytes32 quoteDigest, bytes calldata signature)
        external
        returns (uint256 targetAmount);

    /// @notice Swaps for an exact output, paid by Permit2.
    /// @dev The signature covers the conversion and the digest of its quote as the witness
    /// `TargetSwap(address quote,address origin,address target,uint256 maxOriginAmount,uint256 targetAmount,address recipient,uint256 deadline,bytes32 quoteDigest)`,
    /// the spender that this router is, the permitted token `origin` and amount `maxOriginAmount`, the nonce `quoteDigest` and the
    /// deadline of the conversion.
    /// @param swap The conversion.
    /// @param quoteDigest The digest of the quote. An account can use each digest once.
    /// @param signature The signature of the caller.
    /// @return originAmount The amount paid, raw.
    function targetSwapWithPermit2(TargetSwap calldata swap, bytes32 quoteDigest, bytes calldata signature)
        external
        returns (uint256 originAmount);
}
