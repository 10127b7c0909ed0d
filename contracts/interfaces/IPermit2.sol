// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IPermit2
/// @notice The function of Uniswap's Permit2 that the router calls: a transfer by a signature that also covers other data.
/// @dev Permit2 has the same address on nearly all networks. Its owner must have approved the token to it.
interface IPermit2 {
    /// @notice Thrown when a signature is used after its deadline.
    /// @param signatureDeadline The deadline, Unix seconds.
    error SignatureExpired(uint256 signatureDeadline);

    /// @notice Thrown when the nonce was used before.
    error InvalidNonce();

    /// @notice Thrown when more is requested than the signature permits.
    /// @param maxAmount The permitted amount, raw.
    error InvalidAmount(uint256 maxAmount);

    /// @notice Thrown when a signature has neither 64 nor 65 bytes.
    error InvalidSignatureLength();

    /// @notice Thrown when no signer can be recovered.
    error InvalidSignature();

    /// @notice Thrown when another account signed, or other terms were signed.
    error InvalidSigner();

    /// @notice Thrown when the code of the owner does not accept the signature by ERC-1271.
    error InvalidContractSignature();

    /// @param token The token.
    /// @param amount The largest amount that may be transferred, raw.
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    /// @param permitted The token and its largest amount.
    /// @param nonce A nonce of the owner that no other signature used. Nonces have no order.
    /// @param deadline Unix seconds. The block timestamp must not be after it.
    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    /// @param to The account that receives the tokens.
    /// @param requestedAmount The amount to transfer, raw, at most the permitted one.
    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    /// @notice Transfers tokens of an account that signed for this caller, this token and this witness.
    /// @param permit The terms that were signed.
    /// @param transferDetails What to transfer.
    /// @param owner The account that signed and pays: by its key, or by ERC-1271 if it has code.
    /// @param witness The EIP-712 hash of the other data that was signed.
    /// @param witnessTypeString The end of the EIP-712 type: the field of the witness, then the types that it refers to.
    /// @param signature The signature of the owner.
    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}
