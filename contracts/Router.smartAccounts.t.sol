// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IPermit2} from "./interfaces/IPermit2.sol";
import {IPermitRouter} from "./interfaces/IPermitRouter.sol";
import {RateReader} from "./RateReader.sol";
import {BytesPermitToken} from "./testing/BytesPermitToken.sol";
import {CallBatch} from "./testing/CallBatch.sol";
import {Delegate} from "./testing/Delegate.sol";
import {LaxDelegate} from "./testing/LaxDelegate.sol";
import {OwnedAccount} from "./testing/OwnedAccount.sol";
import {PermitFixture} from "./testing/PermitFixture.sol";
import {StrictDelegate} from "./testing/StrictDelegate.sol";
import {TestToken} from "./testing/TestToken.sol";

/// @dev An account whose signature is a phrase of 11 bytes.
contract PhraseAccount is IERC1271, CallBatch {
    function execute(Call[] calldata calls) external {
        _execute(calls);
    }

    function isValidSignature(bytes32, bytes calldata signature) external pure returns (bytes4) {
        bool isValid = keccak256(signature) == keccak256("open sesame");
        return isValid ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}

contract RouterSmartAccountsTest is PermitFixture {
    bytes32 private constant QUOTE = keccak256("quote");

    TestToken private token;

    function setUp() public override {
        super.setUp();
        // Of the same functions as a TestToken, but for `eip712Domain`.
        token = TestToken(address(new BytesPermitToken("Bytes", "B", 6, address(this))));
        factory.addPool(
            address(_createPool(token, _createReader(address(token), address(0)), usd, usdReader))
        );
        address added = factory.getCurve(address(token), address(usd));
        token.mint(added, 1_000_000e6);
        usd.mint(added, 1_000_000e6);
    }

    function test_a_token_with_permits_of_bytes_takes_the_key_of_a_wallet() public {
        token.mint(payer, 100e6);
        IPermitRouter.OriginSwap memory swap = _originSwap(token, eur, 100e6);
        IPermitRouter.Permit memory permit = _permit(token, 100e6);
        vm.prank(payer);
        router.originSwapWithPermit(swap, permit);
        vm.assertEq(eur.balanceOf(RECIPIENT), swap.minTargetAmount);
    }

    function test_a_smart_account_pays_by_a_permit_that_its_owner_signs() public {
        OwnedAccount account = new OwnedAccount(payer);
        token.mint(address(account), 100e6);
        IPermitRouter.OriginSwap memory swap = _originSwap(token, eur, 100e6);
        bytes32 digest = _hashPermit(token, address(account), address(router), 100e6, 0, NOW);
        CallBatch.Call[] memory calls = _callRouter(
            abi.encodeCall(
                router.originSwapWithPermit, (swap, IPermitRouter.Permit(100e6, NOW, _sign(OTHER_KEY, digest)))
            )
        );
        vm.expectRevert(_lackingAllowance(100e6));
        vm.prank(payer);
        account.execute(calls);
        calls[0].data = abi.encodeCall(
            router.originSwapWithPermit, (swap, IPermitRouter.Permit(100e6, NOW, _sign(KEY, digest)))
        );
        vm.prank(payer);
        account.execute(calls);
        vm.assertEq(eur.balanceOf(RECIPIENT), swap.minTargetAmount);
        vm.assertEq(token.allowance(address(account), address(router)), 0);
    }

    function test_a_smart_account_pays_by_a_permit_whose_signature_has_another_length() public {
        PhraseAccount account = new PhraseAccount();
        token.mint(address(account), 100e6);
        IPermitRouter.TargetSwap memory swap = _targetSwap(token, eur, 10e6);
        IPermitRouter.Permit memory permit = IPermitRouter.Permit(swap.maxOriginAmount, NOW, "shut sesame");
        CallBatch.Call[] memory calls = _callRouter(abi.encodeCall(router.targetSwapWithPermit, (swap, permit)));
        vm.expectRevert(_lackingAllowance(swap.maxOriginAmount));
        account.execute(calls);
        permit.signature = "open sesame";
        calls[0].data = abi.encodeCall(router.targetSwapWithPermit, (swap, permit));
        account.execute(calls);
        vm.assertEq(eur.balanceOf(RECIPIENT), 10e6);
    }

    function test_a_smart_account_pays_through_Permit2_by_what_its_owner_signs() public {
        OwnedAccount account = new OwnedAccount(payer);
        aud.mint(address(account), 100e6);
        IPermitRouter.OriginSwap memory swap = _originSwap(aud, eur, 100e6);
        bytes32 digest = _hashOriginSwap(swap, QUOTE, address(router));
        CallBatch.Call[] memory calls = new CallBatch.Call[](2);
        calls[0] = CallBatch.Call(address(aud), abi.encodeCall(aud.approve, (PERMIT2, 100e6)));
        calls[1] = CallBatch.Call(
            address(router), abi.encodeCall(router.originSwapWithPermit2, (swap, QUOTE, _sign(OTHER_KEY, digest)))
        );
        vm.expectRevert(abi.encodeWithSelector(IPermit2.InvalidContractSignature.selector));
        vm.prank(payer);
        account.execute(calls);
        // All calls or none.
        vm.assertEq(aud.allowance(address(account), PERMIT2), 0);
        calls[1].data = abi.encodeCall(router.originSwapWithPermit2, (swap, QUOTE, _sign(KEY, digest)));
        vm.prank(payer);
        account.execute(calls);
        vm.assertEq(eur.balanceOf(RECIPIENT), swap.minTargetAmount);
        vm.assertEq(aud.balanceOf(address(account)), 0);
    }

    function test_a_smart_account_approves_and_converts_in_one_batch() public {
        OwnedAccount account = new OwnedAccount(payer);
        aud.mint(address(account), 100e6);
        CallBatch.Call[] memory calls = new CallBatch.Call[](2);
        calls[0] = CallBatch.Call(address(aud), abi.encodeCall(aud.approve, (address(router), 100e6)));
        calls[1] = CallBatch.Call(
            address(router),
            abi.encodeCall(router.originSwap, (address(usd), address(aud), address(eur), 100e6, 0, LATER))
        );
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        vm.prank(stranger);
        account.execute(calls);
        vm.prank(payer);
        account.execute(calls);
        vm.assertEq(aud.balanceOf(address(account)), 0);
        vm.assertGe(eur.balanceOf(address(account)), 59e6);
    }

    function test_Permit2_takes_the_key_of_a_delegated_wallet_if_its_delegate_accepts_it() public {
        aud.mint(payer, 1000e6);
        vm.prank(payer);
        aud.approve(PERMIT2, MAX);
        IPermitRouter.TargetSwap memory swap = _targetSwap(aud, eur, 100e6);
        bytes memory signature = _sign(KEY, _hashTargetSwap(swap, QUOTE, address(router)));
        _delegate(address(new StrictDelegate()));
        vm.expectRevert(abi.encodeWithSelector(IPermit2.InvalidContractSignature.selector));
        vm.prank(payer);
        router.targetSwapWithPermit2(swap, QUOTE, signature);
        _delegate(address(new LaxDelegate()));
        vm.prank(payer);
        router.targetSwapWithPermit2(swap, QUOTE, signature);
        vm.assertEq(eur.balanceOf(RECIPIENT), 100e6);
    }

    function test_a_permit_of_bytes_takes_the_key_of_a_delegated_wallet_if_its_delegate_accepts_it() public {
        token.mint(payer, 100e6);
        IPermitRouter.OriginSwap memory swap = _originSwap(token, eur, 100e6);
        IPermitRouter.Permit memory permit = _permit(token, 100e6);
        _delegate(address(new StrictDelegate()));
        vm.expectRevert(_lackingAllowance(100e6));
        vm.prank(payer);
        router.originSwapWithPermit(swap, permit);
        _delegate(address(new LaxDelegate()));
        vm.prank(payer);
        router.originSwapWithPermit(swap, permit);
        vm.assertEq(eur.balanceOf(RECIPIENT), swap.minTargetAmount);
    }

    function test_a_permit_of_a_token_that_recovers_signers_ignores_the_delegate() public {
        aud.mint(payer, 100e6);
        IPermitRouter.OriginSwap memory swap = _originSwap(aud, eur, 100e6);
        IPermitRouter.Permit memory permit = _permit(aud, 100e6);
        _delegate(address(new StrictDelegate()));
        vm.prank(payer);
        router.originSwapWithPermit(swap, permit);
        vm.assertEq(eur.balanceOf(RECIPIENT), swap.minTargetAmount);
    }

    function test_a_delegated_wallet_alone_makes_its_batches() public {
        aud.mint(payer, 100e6);
        _delegate(address(new StrictDelegate()));
        CallBatch.Call[] memory calls = new CallBatch.Call[](1);
        calls[0] = CallBatch.Call(address(aud), abi.encodeCall(aud.transfer, (RECIPIENT, 100e6)));
        vm.expectRevert(abi.encodeWithSelector(Delegate.NotTheWallet.selector, stranger));
        vm.prank(stranger);
        Delegate(payable(payer)).execute(calls);
        vm.prank(payer);
        Delegate(payable(payer)).execute(calls);
        vm.assertEq(aud.balanceOf(RECIPIENT), 100e6);
    }

    /// @dev What a transaction by EIP-7702 does to the wallet of the payer.
    function _delegate(address delegate) private {
        vm.etch(payer, abi.encodePacked(hex"ef0100", delegate));
    }

    function _callRouter(bytes memory data) private view returns (CallBatch.Call[] memory calls) {
        calls = new CallBatch.Call[](1);
        calls[0] = CallBatch.Call(address(router), data);
    }

    function _lackingAllowance(uint256 needed) private view returns (bytes memory) {
        return abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(router), 0, needed);
    }
}
