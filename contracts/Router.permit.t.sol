// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IExactOutRouter} from "./interfaces/IExactOutRouter.sol";
import {IPermitRouter} from "./interfaces/IPermitRouter.sol";
import {IPool} from "./interfaces/IPool.sol";
import {IRouter} from "./interfaces/IRouter.sol";
import {PermitFixture} from "./testing/PermitFixture.sol";
import {TestToken} from "./testing/TestToken.sol";

contract RouterPermitTest is PermitFixture {
    // The order of the curve of signatures: s and this minus s sign alike.
    uint256 private constant ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;

    function test_the_router_states_its_permits_by_ERC165() public view {
        bytes4 id = IPermitRouter.originSwapWithPermit.selector ^ IPermitRouter.targetSwapWithPermit.selector
            ^ IPermitRouter.originSwapWithPermit2.selector ^ IPermitRouter.targetSwapWithPermit2.selector;
        vm.assertEq(bytes32(type(IPermitRouter).interfaceId), bytes32(id));
        vm.assertEq(router.supportsInterface(id), true);
        vm.assertEq(router.supportsInterface(type(IExactOutRouter).interfaceId), true);
        vm.assertEq(router.supportsInterface(type(IERC165).interfaceId), true);
        vm.assertEq(router.supportsInterface(0xffffffff), false);
    }

    function testFuzz_a_permit_pays_an_exact_input_without_an_allowance(uint256 amount, bool isDirect) public {
        amount = _bound(amount, 10, 300_000e6);
        TestToken target = isDirect ? usd : eur;
        aud.mint(payer, amount);
        IPermitRouter.OriginSwap memory swap = _originSwap(aud, target, amount);
        IPermitRouter.Permit memory permit = _permit(aud, amount);
        vm.prank(payer);
        vm.assertEq(router.originSwapWithPermit(swap, permit), swap.minTargetAmount);
        _assertPaid(target, swap.minTargetAmount, 0);
        vm.assertEq(aud.nonces(payer), 1);
    }

    function testFuzz_a_permit_pays_an_exact_output_without_an_allowance(uint256 wanted, bool isDirect) public {
        wanted = _bound(wanted, 1, 200_000e6);
        TestToken target = isDirect ? usd : eur;
        IPermitRouter.TargetSwap memory swap = _targetSwap(aud, target, wanted);
        uint256 cost = swap.maxOriginAmount;
        aud.mint(payer, 2 * cost);
        swap.maxOriginAmount = 2 * cost;
        IPermitRouter.Permit memory permit = _permit(aud, 2 * cost);
        vm.prank(payer);
        vm.assertEq(router.targetSwapWithPermit(swap, permit), cost);
        _assertPaid(target, wanted, cost);
        // What the conversion does not spend stays approved, as the payer has signed.
        vm.assertEq(aud.allowance(payer, address(router)), cost);
    }

    function test_a_permit_that_another_account_has_sent_already_does_no_harm() public {
        aud.mint(payer, 1000e6);
        IPermitRouter.Permit memory permit = _permit(aud, 100e6);
        _sendPermit(permit);
        IPermitRouter.OriginSwap memory first = _originSwap(aud, eur, 100e6);
        vm.prank(payer);
        router.originSwapWithPermit(first, permit);
        IPermitRouter.TargetSwap memory swap = _targetSwap(aud, eur, 10e6);
        permit = _permit(aud, swap.maxOriginAmount);
        _sendPermit(permit);
        vm.prank(payer);
        router.targetSwapWithPermit(swap, permit);
        vm.assertEq(aud.balanceOf(payer), 900e6 - swap.maxOriginAmount);
        vm.assertEq(aud.allowance(payer, address(router)), 0);
        vm.assertEq(aud.nonces(payer), 2);
    }

    function test_error_ERC20InsufficientAllowance_for_a_permit_whose_allowance_is_spent_or_revoked() public {
        IPermitRouter.Permit memory permit = _permit(aud, 100e6);
        _sendPermit(permit);
        vm.prank(payer);
        aud.approve(address(router), 0);
        _expectNoUse(permit);
    }

    function test_a_permit_pays_no_second_conversion() public {
        aud.mint(payer, 200e6);
        IPermitRouter.OriginSwap memory swap = _originSwap(aud, usd, 100e6);
        swap.minTargetAmount = 0;
        IPermitRouter.Permit memory permit = _permit(aud, 100e6);
        vm.prank(payer);
        router.originSwapWithPermit(swap, permit);
        _expectNoUse(permit);
    }

    function test_an_expired_permit_is_of_no_use() public {
        bytes32 digest = _hashPermit(aud, payer, address(router), 100e6, 0, NOW - 1);
        _expectNoUse(IPermitRouter.Permit(100e6, NOW - 1, _sign(KEY, digest)));
    }

    function test_a_permit_of_another_owner_is_of_no_use() public {
        bytes32 digest = _hashPermit(aud, payer, address(router), 100e6, 0, NOW);
        _expectNoUse(IPermitRouter.Permit(100e6, NOW, _sign(OTHER_KEY, digest)));
        digest = _hashPermit(aud, stranger, address(router), 100e6, 0, NOW);
        _expectNoUse(IPermitRouter.Permit(100e6, NOW, _sign(OTHER_KEY, digest)));
    }

    function test_a_permit_for_another_token_is_of_no_use() public {
        _expectNoUse(_permit(eur, 100e6));
    }

    function test_a_permit_for_another_spender_is_of_no_use() public {
        bytes32 digest = _hashPermit(aud, payer, address(pool), 100e6, 0, NOW);
        _expectNoUse(IPermitRouter.Permit(100e6, NOW, _sign(KEY, digest)));
    }

    function test_a_permit_of_another_chain_is_of_no_use() public {
        uint256 chainId = block.chainid;
        vm.chainId(1);
        IPermitRouter.Permit memory permit = _permit(aud, 100e6);
        vm.chainId(chainId);
        _expectNoUse(permit);
    }

    function test_a_permit_of_another_nonce_amount_or_deadline_is_of_no_use() public {
        bytes memory signature = _sign(KEY, _hashPermit(aud, payer, address(router), 100e6, 1, NOW));
        _expectNoUse(IPermitRouter.Permit(100e6, NOW, signature));
        signature = _permit(aud, 100e6).signature;
        _expectNoUse(IPermitRouter.Permit(100e6 + 1, NOW, signature));
        _expectNoUse(IPermitRouter.Permit(100e6, NOW + 1, signature));
    }

    function test_a_malleable_signature_is_of_no_use() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, _hashPermit(aud, payer, address(router), 100e6, 0, NOW));
        bytes32 highS = bytes32(ORDER - uint256(s));
        _expectNoUse(IPermitRouter.Permit(100e6, NOW, abi.encodePacked(r, highS, v == 27 ? uint8(28) : uint8(27))));
        _expectNoUse(IPermitRouter.Permit(100e6, NOW, abi.encodePacked(r, s, v - 27)));
    }

    function test_a_signature_of_another_length_is_of_no_use_to_a_token_without_a_permit_of_bytes() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, _hashPermit(aud, payer, address(router), 100e6, 0, NOW));
        bytes32 compact = bytes32(uint256(s) | (uint256(v - 27) << 255));
        _expectNoUse(IPermitRouter.Permit(100e6, NOW, ""));
        _expectNoUse(IPermitRouter.Permit(100e6, NOW, abi.encodePacked(r, compact)));
        _expectNoUse(IPermitRouter.Permit(100e6, NOW, abi.encodePacked(r, s, v, v)));
    }

    function testFuzz_no_values_pass_for_a_signature(uint256 amount, uint256 deadline, bytes32 r, bytes32 s, bool isOdd)
        public
    {
        _expectNoUse(IPermitRouter.Permit(amount, deadline, abi.encodePacked(r, s, isOdd ? uint8(28) : uint8(27))));
    }

    function testFuzz_no_signature_stops_a_conversion_that_the_allowance_covers(bytes calldata signature) public {
        aud.mint(payer, 100e6);
        vm.prank(payer);
        aud.approve(address(router), 100e6);
        IPermitRouter.OriginSwap memory swap = _originSwap(aud, eur, 100e6);
        vm.prank(payer);
        router.originSwapWithPermit(swap, IPermitRouter.Permit(1, NOW, signature));
        _assertPaid(eur, swap.minTargetAmount, 0);
    }

    function test_a_permit_is_of_no_use_to_another_account() public {
        aud.mint(payer, 100e6);
        IPermitRouter.OriginSwap memory swap = _originSwap(aud, usd, 100e6);
        IPermitRouter.Permit memory permit = _permit(aud, 100e6);
        bytes memory lacking = _lackingAllowance(0, 100e6);
        vm.expectRevert(lacking);
        vm.prank(stranger);
        router.originSwapWithPermit(swap, permit);
        // Neither is the allowance that it sets.
        _sendPermit(permit);
        vm.expectRevert(lacking);
        vm.prank(stranger);
        router.originSwapWithPermit(swap, permit);
        IPermitRouter.TargetSwap memory target = _targetSwap(aud, usd, 10e6);
        vm.expectRevert(_lackingAllowance(0, target.maxOriginAmount));
        vm.prank(stranger);
        router.targetSwapWithPermit(target, permit);
        vm.assertEq(aud.balanceOf(payer), 100e6);
    }

    function test_error_InvalidRecipient_for_zero_the_router_and_the_pools_of_the_route() public {
        address[4] memory recipients = [address(0), address(router), address(pool), address(eurPool)];
        IPermitRouter.OriginSwap memory origin = _originSwap(aud, eur, 1e6);
        IPermitRouter.TargetSwap memory target = _targetSwap(aud, eur, 1e6);
        IPermitRouter.Permit memory permit = _permit(aud, 100e6);
        for (uint256 i = 0; i < recipients.length; i++) {
            bytes memory reason = abi.encodeWithSelector(IExactOutRouter.InvalidRecipient.selector, recipients[i]);
            origin.recipient = target.recipient = recipients[i];
            vm.expectRevert(reason);
            vm.prank(payer);
            router.originSwapWithPermit(origin, permit);
            vm.expectRevert(reason);
            vm.prank(payer);
            router.targetSwapWithPermit(target, permit);
        }
    }

    function test_the_checks_run_in_the_documented_order() public {
        IPermitRouter.Permit memory none = IPermitRouter.Permit(0, 0, "");
        (address u, address a) = (address(usd), address(aud));
        IPermitRouter.OriginSwap memory origin = IPermitRouter.OriginSwap(u, a, a, 0, 0, address(0), NOW);
        IPermitRouter.TargetSwap memory target = IPermitRouter.TargetSwap(u, a, a, 0, 0, address(0), NOW);
        _expectBoth(abi.encodeWithSelector(IPool.DeadlinePassed.selector, NOW), origin, target, none);
        origin.deadline = target.deadline = LATER;
        _expectBoth(abi.encodeWithSelector(IRouter.NoPath.selector, a, a), origin, target, none);
        origin.target = target.target = address(eur);
        _expectBoth(
            abi.encodeWithSelector(IExactOutRouter.InvalidRecipient.selector, address(0)), origin, target, none
        );
        target.recipient = RECIPIENT;
        vm.expectRevert(abi.encodeWithSelector(IPool.ZeroAmount.selector));
        router.targetSwapWithPermit(target, none);
        target.targetAmount = 100e6;
        uint256 cost = _targetSwap(aud, eur, 100e6).maxOriginAmount;
        target.maxOriginAmount = cost - 1;
        vm.expectRevert(abi.encodeWithSelector(IPool.AboveMaxInput.selector, cost, cost - 1));
        router.targetSwapWithPermit(target, none);
        target.maxOriginAmount = cost;
        vm.expectRevert(_lackingAllowance(0, cost));
        router.targetSwapWithPermit(target, none);
    }

    function test_error_BelowMinTarget_one_unit_over_the_output_keeps_the_permit_for_later() public {
        aud.mint(payer, 100e6);
        IPermitRouter.OriginSwap memory swap = _originSwap(aud, eur, 100e6);
        IPermitRouter.Permit memory permit = _permit(aud, 100e6);
        uint256 output = swap.minTargetAmount++;
        vm.expectRevert(abi.encodeWithSelector(IPool.BelowMinTarget.selector, output, output + 1));
        vm.prank(payer);
        router.originSwapWithPermit(swap, permit);
        vm.assertEq(aud.nonces(payer), 0);
        swap.minTargetAmount = output;
        vm.prank(payer);
        router.originSwapWithPermit(swap, permit);
    }

    function _expectBoth(
        bytes memory reason,
        IPermitRouter.OriginSwap memory origin,
        IPermitRouter.TargetSwap memory target,
        IPermitRouter.Permit memory permit
    ) private {
        vm.expectRevert(reason);
        router.originSwapWithPermit(origin, permit);
        vm.expectRevert(reason);
        router.targetSwapWithPermit(target, permit);
    }

    /// @dev Asserts that the payer, who holds enough and has approved nothing, cannot convert 100 by this permit.
    function _expectNoUse(IPermitRouter.Permit memory permit) private {
        aud.mint(payer, 1000e6);
        uint256 nonce = aud.nonces(payer);
        IPermitRouter.OriginSwap memory origin = _originSwap(aud, usd, 100e6);
        IPermitRouter.TargetSwap memory target = _targetSwap(aud, eur, 10e6);
        vm.expectRevert(_lackingAllowance(0, 100e6));
        vm.prank(payer);
        router.originSwapWithPermit(origin, permit);
        vm.expectRevert(_lackingAllowance(0, target.maxOriginAmount));
        vm.prank(payer);
        router.targetSwapWithPermit(target, permit);
        vm.assertEq(aud.nonces(payer), nonce);
    }

    function _sendPermit(IPermitRouter.Permit memory permit) private {
        bytes memory signature = permit.signature;
        (bytes32 r, bytes32 s, bytes1 v) = (bytes32(0), bytes32(0), signature[64]);
        assembly ("memory-safe") {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
        }
        vm.prank(stranger);
        aud.permit(payer, address(router), permit.amount, permit.deadline, uint8(v), r, s);
    }

    function _lackingAllowance(uint256 allowance, uint256 needed) private view returns (bytes memory) {
        return abi.encodeWithSelector(
            IERC20Errors.ERC20InsufficientAllowance.selector, address(router), allowance, needed
        );
    }

    function _assertPaid(TestToken target, uint256 output, uint256 left) private view {
        vm.assertEq(target.balanceOf(RECIPIENT), output);
        vm.assertEq(target.balanceOf(payer), 0);
        vm.assertEq(aud.balanceOf(payer), left);
        _assertHoldsNothing();
    }
}
