// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IExactOutRouter} from "./interfaces/IExactOutRouter.sol";
import {IPermit2} from "./interfaces/IPermit2.sol";
import {IPermitRouter} from "./interfaces/IPermitRouter.sol";
import {IPool} from "./interfaces/IPool.sol";
import {IRouter} from "./interfaces/IRouter.sol";
import {PermitFixture} from "./testing/PermitFixture.sol";
import {TestToken} from "./testing/TestToken.sol";

contract RouterPermit2Test is PermitFixture {
    bytes32 private constant QUOTE = keccak256("quote");
    // The order of the curve of signatures: s and this minus s sign alike.
    uint256 private constant ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;

    function setUp() public override {
        super.setUp();
        aud.mint(payer, 1_000_000e6);
        vm.prank(payer);
        aud.approve(PERMIT2, MAX);
    }

    function testFuzz_a_signature_pays_an_exact_input(uint256 amount, bool isDirect, bytes32 quoteDigest) public {
        amount = _bound(amount, 10, 300_000e6);
        TestToken target = isDirect ? usd : eur;
        IPermitRouter.OriginSwap memory swap = _originSwap(aud, target, amount);
        bytes memory signature = _sign(KEY, _hashOriginSwap(swap, quoteDigest, address(router)));
        vm.prank(payer);
        vm.assertEq(router.originSwapWithPermit2(swap, quoteDigest, signature), swap.minTargetAmount);
        _assertPaid(target, swap.minTargetAmount, amount);
    }

    function testFuzz_a_signature_pays_the_input_alone_of_an_exact_output(
        uint256 wanted,
        bool isDirect,
        bytes32 quoteDigest
    ) public {
        wanted = _bound(wanted, 1, 200_000e6);
        TestToken target = isDirect ? usd : eur;
        IPermitRouter.TargetSwap memory swap = _targetSwap(aud, target, wanted);
        uint256 cost = swap.maxOriginAmount;
        swap.maxOriginAmount = 2 * cost;
        bytes memory signature = _sign(KEY, _hashTargetSwap(swap, quoteDigest, address(router)));
        vm.prank(payer);
        vm.assertEq(router.targetSwapWithPermit2(swap, quoteDigest, signature), cost);
        _assertPaid(target, wanted, cost);
    }

    function test_error_InvalidNonce_for_a_signature_or_a_quote_that_was_used() public {
        IPermitRouter.OriginSwap memory swap = _originSwap(aud, eur, 100e6);
        swap.minTargetAmount = 0;
        bytes memory signature = _sign(KEY, _hashOriginSwap(swap, QUOTE, address(router)));
        vm.prank(payer);
        router.originSwapWithPermit2(swap, QUOTE, signature);
        _expectRefusal(swap, QUOTE, signature, IPermit2.InvalidNonce.selector);
        // Another signature for the same quote.
        swap.originAmount = 1e6;
        signature = _sign(KEY, _hashOriginSwap(swap, QUOTE, address(router)));
        _expectRefusal(swap, QUOTE, signature, IPermit2.InvalidNonce.selector);
        IPermitRouter.TargetSwap memory target = _targetSwap(aud, eur, 1e6);
        signature = _sign(KEY, _hashTargetSwap(target, QUOTE, address(router)));
        _expectRefusal(target, QUOTE, signature, IPermit2.InvalidNonce.selector);
    }

    function test_error_InvalidSigner_for_any_other_field_of_an_exact_input() public {
        IPermitRouter.OriginSwap memory signed = _originSwap(aud, eur, 100e6);
        bytes memory signature = _sign(KEY, _hashOriginSwap(signed, QUOTE, address(router)));
        IPermitRouter.OriginSwap memory other = _originSwap(aud, eur, 100e6);
        other.target = address(usd);
        _expectInvalidSigner(other, QUOTE, signature);
        other = _originSwap(aud, usd, 100e6);
        other.quote = address(eur);
        _expectInvalidSigner(other, QUOTE, signature);
        other = _originSwap(aud, eur, 100e6 - 1);
        _expectInvalidSigner(other, QUOTE, signature);
        other = _originSwap(aud, eur, 100e6);
        other.minTargetAmount--;
        _expectInvalidSigner(other, QUOTE, signature);
        other = _originSwap(aud, eur, 100e6);
        other.recipient = payer;
        _expectInvalidSigner(other, QUOTE, signature);
        other = _originSwap(aud, eur, 100e6);
        other.deadline++;
        _expectInvalidSigner(other, QUOTE, signature);
        _expectInvalidSigner(signed, keccak256("another quote"), signature);
        vm.prank(payer);
        router.originSwapWithPermit2(signed, QUOTE, signature);
    }

    function test_error_InvalidSigner_for_any_other_field_of_an_exact_output() public {
        IPermitRouter.TargetSwap memory signed = _targetSwap(aud, eur, 100e6);
        bytes memory signature = _sign(KEY, _hashTargetSwap(signed, QUOTE, address(router)));
        IPermitRouter.TargetSwap memory other = _targetSwap(aud, eur, 100e6);
        other.target = address(usd);
        _expectInvalidSigner(other, QUOTE, signature);
        other = _targetSwap(aud, eur, 100e6);
        other.maxOriginAmount++;
        _expectInvalidSigner(other, QUOTE, signature);
        other = _targetSwap(aud, eur, 100e6);
        other.targetAmount--;
        _expectInvalidSigner(other, QUOTE, signature);
        other = _targetSwap(aud, eur, 100e6);
        other.recipient = payer;
        _expectInvalidSigner(other, QUOTE, signature);
        other = _targetSwap(aud, eur, 100e6);
        other.deadline++;
        _expectInvalidSigner(other, QUOTE, signature);
        _expectInvalidSigner(signed, keccak256("another quote"), signature);
        vm.prank(payer);
        router.targetSwapWithPermit2(signed, QUOTE, signature);
    }

    function test_error_InvalidSigner_for_a_signature_of_the_other_function() public {
        IPermitRouter.OriginSwap memory origin = _originSwap(aud, eur, 100e6);
        // The same numbers in the same fields.
        IPermitRouter.TargetSwap memory target = _targetSwap(aud, eur, origin.minTargetAmount);
        target.maxOriginAmount = origin.originAmount;
        _expectInvalidSigner(target, QUOTE, _sign(KEY, _hashOriginSwap(origin, QUOTE, address(router))));
        _expectInvalidSigner(origin, QUOTE, _sign(KEY, _hashTargetSwap(target, QUOTE, address(router))));
    }

    function test_error_InvalidSigner_for_another_signer_spender_or_chain() public {
        IPermitRouter.OriginSwap memory swap = _originSwap(aud, eur, 100e6);
        _expectInvalidSigner(swap, QUOTE, _sign(OTHER_KEY, _hashOriginSwap(swap, QUOTE, address(router))));
        _expectInvalidSigner(swap, QUOTE, _sign(KEY, _hashOriginSwap(swap, QUOTE, payer)));
        uint256 chainId = block.chainid;
        vm.chainId(1);
        bytes memory signature = _sign(KEY, _hashOriginSwap(swap, QUOTE, address(router)));
        vm.chainId(chainId);
        _expectInvalidSigner(swap, QUOTE, signature);
    }

    function test_error_InvalidSigner_for_another_account_that_sends_the_signature() public {
        IPermitRouter.OriginSwap memory swap = _originSwap(aud, eur, 100e6);
        bytes memory signature = _sign(KEY, _hashOriginSwap(swap, QUOTE, address(router)));
        vm.expectRevert(abi.encodeWithSelector(IPermit2.InvalidSigner.selector));
        vm.prank(stranger);
        router.originSwapWithPermit2(swap, QUOTE, signature);
        // Permit2 itself pays only the router.
        IPermit2.PermitTransferFrom memory permit =
            IPermit2.PermitTransferFrom(IPermit2.TokenPermissions(address(aud), 100e6), uint256(QUOTE), LATER);
        vm.expectRevert(abi.encodeWithSelector(IPermit2.InvalidSigner.selector));
        vm.prank(stranger);
        IPermit2(PERMIT2).permitWitnessTransferFrom(
            permit, IPermit2.SignatureTransferDetails(stranger, 100e6), payer, 0, "", signature
        );
        vm.assertEq(aud.balanceOf(payer), 1_000_000e6);
    }

    /// @dev Permit2 accepts the second signature of each, but the nonce stops the second use.
    function test_a_malleable_or_compact_signature_pays_once_as_well() public {
        IPermitRouter.OriginSwap memory swap = _originSwap(aud, usd, 100e6);
        swap.minTargetAmount = 0;
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, _hashOriginSwap(swap, QUOTE, address(router)));
        uint8 other = v == 27 ? 28 : 27;
        vm.prank(payer);
        router.originSwapWithPermit2(swap, QUOTE, abi.encodePacked(r, bytes32(ORDER - uint256(s)), other));
        bytes memory compact = abi.encodePacked(r, bytes32(uint256(s) | (uint256(v - 27) << 255)));
        _expectRefusal(swap, QUOTE, compact, IPermit2.InvalidNonce.selector);
        _expectRefusal(swap, QUOTE, abi.encodePacked(r, s, v), IPermit2.InvalidNonce.selector);
        vm.assertEq(aud.balanceOf(payer), 1_000_000e6 - 100e6);
    }

    function test_error_InvalidSignatureLength_and_InvalidSignature_for_bytes_that_are_none() public {
        IPermitRouter.OriginSwap memory swap = _originSwap(aud, usd, 100e6);
        _expectRefusal(swap, QUOTE, "", IPermit2.InvalidSignatureLength.selector);
        _expectRefusal(swap, QUOTE, new bytes(66), IPermit2.InvalidSignatureLength.selector);
        _expectRefusal(swap, QUOTE, new bytes(65), IPermit2.InvalidSignature.selector);
    }

    function test_the_checks_run_in_the_documented_order() public {
        (address u, address a) = (address(usd), address(aud));
        IPermitRouter.OriginSwap memory origin = IPermitRouter.OriginSwap(u, a, a, 0, 0, address(0), NOW);
        IPermitRouter.TargetSwap memory target = IPermitRouter.TargetSwap(u, a, a, 0, 0, address(0), NOW);
        _expectBoth(abi.encodeWithSelector(IPool.DeadlinePassed.selector, NOW), origin, target);
        origin.deadline = target.deadline = LATER;
        _expectBoth(abi.encodeWithSelector(IRouter.NoPath.selector, a, a), origin, target);
        origin.target = target.target = address(eur);
        address[4] memory recipients = [address(0), address(router), address(pool), address(eurPool)];
        for (uint256 i = 0; i < recipients.length; i++) {
            origin.recipient = target.recipient = recipients[i];
            _expectBoth(
                abi.encodeWithSelector(IExactOutRouter.InvalidRecipient.selector, recipients[i]), origin, target
            );
        }
        target.recipient = RECIPIENT;
        _expectRefusal(target, QUOTE, "", IPool.ZeroAmount.selector);
        target.targetAmount = 100e6;
        uint256 cost = _targetSwap(aud, eur, 100e6).maxOriginAmount;
        target.maxOriginAmount = cost - 1;
        vm.expectRevert(abi.encodeWithSelector(IPool.AboveMaxInput.selector, cost, cost - 1));
        router.targetSwapWithPermit2(target, QUOTE, "");
        target.maxOriginAmount = cost;
        _expectRefusal(target, QUOTE, "", IPermit2.InvalidSignatureLength.selector);
    }

    function test_a_conversion_that_fails_uses_no_nonce() public {
        IPermitRouter.OriginSwap memory swap = _originSwap(aud, eur, 100e6);
        bytes memory signature = _sign(KEY, _hashOriginSwap(swap, QUOTE, address(router)));
        audOracle.setRound(AUD_PRICE - 1, NOW);
        vm.prank(payer);
        try router.originSwapWithPermit2(swap, QUOTE, signature) returns (uint256) {
            revert("the price has moved below the minimum");
        } catch (bytes memory reason) {
            vm.assertEq(bytes32(bytes4(reason)), bytes32(IPool.BelowMinTarget.selector));
        }
        audOracle.setRound(AUD_PRICE, NOW);
        vm.prank(payer);
        router.originSwapWithPermit2(swap, QUOTE, signature);
    }

    function test_error_a_missing_allowance_of_Permit2_fails_the_transfer() public {
        vm.prank(payer);
        aud.approve(PERMIT2, 0);
        IPermitRouter.OriginSwap memory swap = _originSwap(aud, eur, 100e6);
        bytes memory signature = _sign(KEY, _hashOriginSwap(swap, QUOTE, address(router)));
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "TRANSFER_FROM_FAILED"));
        vm.prank(payer);
        router.originSwapWithPermit2(swap, QUOTE, signature);
    }

    function test_error_without_Permit2_its_functions_revert_without_data_and_the_others_work() public {
        vm.etch(PERMIT2, "");
        IPermitRouter.OriginSwap memory swap = _originSwap(aud, eur, 100e6);
        vm.expectRevert("");
        vm.prank(payer);
        router.originSwapWithPermit2(swap, QUOTE, "");
        IPermitRouter.Permit memory permit = _permit(aud, 100e6);
        vm.prank(payer);
        router.originSwapWithPermit(swap, permit);
    }

    function _expectBoth(
        bytes memory reason,
        IPermitRouter.OriginSwap memory origin,
        IPermitRouter.TargetSwap memory target
    ) private {
        vm.expectRevert(reason);
        router.originSwapWithPermit2(origin, QUOTE, "");
        vm.expectRevert(reason);
        router.targetSwapWithPermit2(target, QUOTE, "");
    }

    function _expectInvalidSigner(IPermitRouter.OriginSwap memory swap, bytes32 quoteDigest, bytes memory signature)
        private
    {
        _expectRefusal(swap, quoteDigest, signature, IPermit2.InvalidSigner.selector);
    }

    function _expectInvalidSigner(IPermitRouter.TargetSwap memory swap, bytes32 quoteDigest, bytes memory signature)
        private
    {
        _expectRefusal(swap, quoteDigest, signature, IPermit2.InvalidSigner.selector);
    }

    function _expectRefusal(
        IPermitRouter.OriginSwap memory swap,
        bytes32 quoteDigest,
        bytes memory signature,
        bytes4 reason
    ) private {
        vm.expectRevert(abi.encodePacked(reason));
        vm.prank(payer);
        router.originSwapWithPermit2(swap, quoteDigest, signature);
    }

    function _expectRefusal(
        IPermitRouter.TargetSwap memory swap,
        bytes32 quoteDigest,
        bytes memory signature,
        bytes4 reason
    ) private {
        vm.expectRevert(abi.encodePacked(reason));
        vm.prank(payer);
        router.targetSwapWithPermit2(swap, quoteDigest, signature);
    }

    function _assertPaid(TestToken target, uint256 output, uint256 input) private view {
        vm.assertEq(target.balanceOf(RECIPIENT), output);
        vm.assertEq(target.balanceOf(payer), 0);
        vm.assertEq(aud.balanceOf(payer), 1_000_000e6 - input);
        vm.assertEq(aud.allowance(payer, address(router)), 0);
        _assertHoldsNothing();
    }
}
