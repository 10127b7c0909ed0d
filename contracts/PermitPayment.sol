// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {IERC1271Permit} from "./interfaces/IERC1271Permit.sol";
import {IPermit2} from "./interfaces/IPermit2.sol";
import {IPermitRouter} from "./interfaces/IPermitRouter.sol";

/// @title PermitPayment
/// @notice Takes tokens from the caller by a signature. The owner of the tokens is always `msg.sender`.
library PermitPayment {
    /// @dev The same on nearly all networks. Where it has no code, calls to it revert.
    IPermit2 private constant _PERMIT2 = IPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);

    string private constant _ORIGIN_SWAP_FIELDS =
        "OriginSwap(address quote,address origin,address target,uint256 originAmount,uint256 minTargetAmount,address recipient,uint256 deadline,bytes32 quoteDigest)";
    string private constant _TARGET_SWAP_FIELDS =
        "TargetSwap(address quote,address origin,address target,uint256 maxOriginAmount,uint256 targetAmount,address recipient,uint256 deadline,bytes32 quoteDigest)";
    string private constant _TOKEN_PERMISSIONS = "TokenPermissions(address token,uint256 amount)";

    bytes32 private constant _ORIGIN_SWAP_TYPEHASH = keccak256(bytes(_ORIGIN_SWAP_FIELDS));
    bytes32 private constant _TARGET_SWAP_TYPEHASH = keccak256(bytes(_TARGET_SWAP_FIELDS));

    /// @dev Sets the caller's allowance of this contract by an EIP-2612 permit. A revert is ignored: whether the permit was used
    /// here or earlier by another account, the allowance decides what can be transferred. A token without `permit` may accept
    /// the call and do nothing, which is the same case.
    ///
    /// External call: to the origin token, which is a token of a pool in the registry, and which is called for the transfer
    /// anyway. The revert data is not copied. A token that burns its gas burns 63/64 of it. The remaining gas pays for the
    /// conversion, or the whole transaction reverts.
    function usePermit(address token, IPermitRouter.Permit calldata permit) internal {
        bytes calldata signature = permit.signature;
        if (signature.length == 65) {
            (bytes32 r, bytes32 s) = (bytes32(signature[:32]), bytes32(signature[32:64]));
            try IERC20Permit(token)
                .permit(msg.sender, address(this), permit.amount, permit.deadline, uint8(signature[64]), r, s) {}
                catch {}
        } else {
            try IERC1271Permit(token).permit(msg.sender, address(this), permit.amount, permit.deadline, signature) {}
                catch {}
        }
    }

    /// @dev Takes the input of an exact-input conversion by Permit2, which the caller has signed with the conversion.
    function pullByPermit2(IPermitRouter.OriginSwap calldata swap, bytes32 quoteDigest, bytes calldata signature) internal {
        bytes32 witness = keccak256(abi.encode(_ORIGIN_SWAP_TYPEHASH, swap, quoteDigest));
        IPermit2.TokenPermissions memory permitted = IPermit2.TokenPermissions(swap.origin, swap.originAmount);
        string memory witnessType = _witnessTypeOf("OriginSwap", _ORIGIN_SWAP_FIELDS);
        _transfer(
            IPermit2.PermitTransferFrom(permitted, uint256(quoteDigest), swap.deadline),
            swap.originAmount,
            witness,
            witnessType,
            signature
        );
    }

    /// @dev Takes the input of an exact-output conversion, which is at most the maximum that the caller has signed.
    function pullByPermit2(
        IPermitRouter.TargetSwap calldata swap,
        uint256 originAmount,
        bytes32 quoteDigest,
        bytes calldata signature
    ) internal {
        bytes32 witness = keccak256(abi.encode(_TARGET_SWAP_TYPEHASH, swap, quoteDigest));
        IPermit2.TokenPermissions memory permitted = IPermit2.TokenPermissions(swap.origin, swap.maxOriginAmount);
        string memory witnessType = _witnessTypeOf("TargetSwap", _TARGET_SWAP_FIELDS);
        _transfer(
            IPermit2.PermitTransferFrom(permitted, uint256(quoteDigest), swap.deadline),
            originAmount,
            witness,
            witnessType,
            signature
        );
    }

    /// @dev External call: to Permit2, whose code is fixed. It verifies that `msg.sender` signed for this contract, by ERC-1271 if
    /// that has code, marks the nonce as used, and calls the origin token for the transfer. It reverts where it has no code. A
    /// second form of a signature, with the other s or of 64 bytes, has the same nonce.
    function _transfer(
        IPermit2.PermitTransferFrom memory permit,
        uint256 amount,
        bytes32 witness,
        string memory witnessType,
        bytes calldata signature
    ) private {
        IPermit2.SignatureTransferDetails memory details = IPermit2.SignatureTransferDetails(address(this), amount);
        _PERMIT2.permitWitnessTransferFrom(permit, details, msg.sender, witness, witnessType, signature);
    }

    /// @dev EIP-712 lists the types that another refers to in alphabetical order.
    function _witnessTypeOf(string memory name, string memory fields) private pure returns (string memory) {
        return string.concat(name, " witness)", fields, _TOKEN_PERMISSIONS);
    }
}
