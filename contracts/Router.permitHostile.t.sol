// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IExactOutRouter} from "./interfaces/IExactOutRouter.sol";
import {IPermitRouter} from "./interfaces/IPermitRouter.sol";
import {IPool} from "./interfaces/IPool.sol";
import {IRouter} from "./interfaces/IRouter.sol";
import {Pool} from "./Pool.sol";
import {RateReader} from "./RateReader.sol";
import {FeeToken} from "./testing/FeeToken.sol";
import {HostilePermitToken} from "./testing/HostilePermitToken.sol";
import {PermitFixture} from "./testing/PermitFixture.sol";
import {PlainToken} from "./testing/PlainToken.sol";
import {ResetToken} from "./testing/ResetToken.sol";
import {TestOracle} from "./testing/TestOracle.sol";
import {TestToken} from "./testing/TestToken.sol";

contract RouterPermitHostileTest is PermitFixture {
    bytes32 private constant QUOTE = keccak256("quote");
    // Enough for a conversion after the token has burnt 63 of 64 parts of it.
    uint256 private constant GAS = 30_000_000;

    HostilePermitToken private hostile;

    function setUp() public override {
        super.setUp();
        hostile = new HostilePermitToken(6, address(this));
        _addPool(hostile);
        hostile.mint(payer, 1_000_000e6);
    }

    function test_a_token_that_accepts_every_signature_gives_no_allowance() public {
        hostile.setBehaviour(HostilePermitToken.Behaviour.Ignore);
        _expectTheAllowanceToDecide();
    }

    function test_a_permit_that_reverts_with_a_megabyte_leaves_the_allowance_to_decide() public {
        hostile.setBehaviour(HostilePermitToken.Behaviour.Revert);
        _expectTheAllowanceToDecide();
    }

    function test_a_permit_that_burns_all_its_gas_leaves_the_allowance_to_decide() public {
        hostile.setBehaviour(HostilePermitToken.Behaviour.BurnGas);
        _expectTheAllowanceToDecide();
    }

    function test_a_permit_that_leaves_too_little_gas_makes_the_whole_conversion_fail() public {
        hostile.setBehaviour(HostilePermitToken.Behaviour.BurnGas);
        _approve(hostile, 100e6);
        IPermitRouter.OriginSwap memory swap = _originSwap(hostile, eur, 100e6);
        vm.prank(payer);
        (bool success,) = address(router).call{gas: 3_000_000}(
            abi.encodeCall(router.originSwapWithPermit, (swap, IPermitRouter.Permit(100e6, NOW, new bytes(65))))
        );
        vm.assertEq(success, false);
        vm.assertEq(hostile.balanceOf(payer), 1_000_000e6);
    }

    function test_a_hostile_token_cannot_reenter_the_router_during_its_permit() public {
        hostile.setBehaviour(HostilePermitToken.Behaviour.CallBack);
        bytes[] memory attacks = _attacks();
        for (uint256 i = 0; i < attacks.length; i++) {
            IPermitRouter.OriginSwap memory origin = _originSwap(hostile, eur, 10e6);
            IPermitRouter.Permit memory permit = _permit(hostile, 10e6);
            hostile.arm(address(router), attacks[i]);
            vm.prank(payer);
            router.originSwapWithPermit(origin, permit);
            _assertBlocked();
            IPermitRouter.TargetSwap memory target = _targetSwap(hostile, eur, 10e6);
            permit = _permit(hostile, target.maxOriginAmount);
            hostile.arm(address(router), attacks[i]);
            vm.prank(payer);
            router.targetSwapWithPermit(target, permit);
            _assertBlocked();
        }
    }

    function test_a_hostile_token_cannot_reenter_the_router_during_a_transfer_of_Permit2() public {
        _approve(hostile, MAX);
        bytes[] memory attacks = _attacks();
        for (uint256 i = 0; i < attacks.length; i++) {
            IPermitRouter.OriginSwap memory origin = _originSwap(hostile, eur, 10e6);
            bytes memory signature = _sign(KEY, _hashOriginSwap(origin, bytes32(2 * i), address(router)));
            hostile.arm(address(router), attacks[i]);
            vm.prank(payer);
            router.originSwapWithPermit2(origin, bytes32(2 * i), signature);
            _assertBlocked();
            IPermitRouter.TargetSwap memory target = _targetSwap(hostile, eur, 10e6);
            signature = _sign(KEY, _hashTargetSwap(target, bytes32(2 * i + 1), address(router)));
            hostile.arm(address(router), attacks[i]);
            vm.prank(payer);
            router.targetSwapWithPermit2(target, bytes32(2 * i + 1), signature);
            _assertBlocked();
        }
    }

    function test_a_token_that_moves_its_price_during_its_permit_can_only_make_the_conversion_fail() public {
        HostilePermitToken priced = new HostilePermitToken(6, address(this));
        TestOracle oracle = new TestOracle("HOSTILE", 1e8, address(priced));
        Pool added = _createPool(priced, _createReader(address(priced), address(oracle)), usd, usdReader);
        factory.addPool(address(added));
        _fund(added, 1_000_000e6, 1_000_000e6);
        priced.mint(payer, 100e6);
        priced.setBehaviour(HostilePermitToken.Behaviour.CallBack);
        IPermitRouter.TargetSwap memory target = _targetSwap(priced, usd, 10e6);
        IPermitRouter.Permit memory permit = _permit(priced, 50e6);
        uint256 cost = target.maxOriginAmount;
        priced.arm(address(oracle), abi.encodeCall(TestOracle.setRound, (2e8, NOW)));
        vm.expectRevert(
            abi.encodeWithSelector(IExactOutRouter.InputMismatch.selector, address(added), cost, 5_002_502)
        );
        vm.prank(payer);
        router.targetSwapWithPermit(target, permit);
        priced.arm(address(oracle), abi.encodeCall(TestOracle.setRound, (5e7, NOW)));
        vm.expectRevert(abi.encodeWithSelector(IPool.AboveMaxInput.selector, 20_010_006, cost));
        vm.prank(payer);
        router.targetSwapWithPermit(target, permit);
        IPermitRouter.OriginSwap memory origin = _originSwap(priced, usd, 10e6);
        vm.expectRevert(abi.encodeWithSelector(IPool.BelowMinTarget.selector, 4_997_500, origin.minTargetAmount));
        vm.prank(payer);
        router.originSwapWithPermit(origin, permit);
    }

    function test_a_token_with_a_fee_on_transfer_fails_by_either_permit() public {
        FeeToken fee = new FeeToken(6, address(this));
        _addPool(fee);
        fee.mint(payer, 100e6);
        _approve(fee, 100e6);
        IPermitRouter.OriginSwap memory swap = _originSwap(fee, usd, 10e6);
        IPermitRouter.Permit memory permit = _permit(fee, 10e6);
        bytes memory signature = _sign(KEY, _hashOriginSwap(swap, QUOTE, address(router)));
        bytes memory lacking = abi.encodeWithSelector(
            IERC20Errors.ERC20InsufficientBalance.selector, address(router), 10e6 - 1, 10e6
        );
        vm.expectRevert(lacking);
        vm.prank(payer);
        router.originSwapWithPermit(swap, permit);
        vm.expectRevert(lacking);
        vm.prank(payer);
        router.originSwapWithPermit2(swap, QUOTE, signature);
    }

    function test_a_token_without_permits_is_paid_by_its_allowance_or_by_Permit2() public {
        PlainToken plain = new PlainToken("Plain", "P", 6, address(this));
        _convertByBoth(TestToken(address(plain)));
    }

    function test_a_token_that_returns_nothing_and_demands_resets_is_paid_by_its_allowance_or_by_Permit2() public {
        ResetToken token = new ResetToken("Reset", "R", 6, address(this));
        _convertByBoth(TestToken(address(token)));
    }

    /// @dev The payer has approved the router and Permit2 without limit, and its signatures are known.
    function testFuzz_another_account_cannot_spend_what_a_payer_has_approved(uint256 amount, bool isSender) public {
        amount = _bound(amount, 10, 10_000e6);
        aud.mint(payer, 1_000_000e6);
        _approve(aud, MAX);
        address recipient = isSender ? stranger : RECIPIENT;
        (address u, address a) = (address(usd), address(aud));
        IPermitRouter.OriginSwap memory origin = IPermitRouter.OriginSwap(u, a, u, amount, 0, recipient, LATER);
        IPermitRouter.TargetSwap memory target = IPermitRouter.TargetSwap(u, a, u, MAX, amount, recipient, LATER);
        IPermitRouter.Permit memory permit = _permit(aud, MAX);
        bytes[8] memory calls = [
            abi.encodeCall(IRouter.originSwap, (u, a, u, amount, 0, LATER)),
            abi.encodeCall(IExactOutRouter.originSwapTo, (u, a, u, amount, 0, recipient, LATER)),
            abi.encodeCall(IExactOutRouter.targetSwap, (u, a, u, MAX, amount, LATER)),
            abi.encodeCall(IExactOutRouter.targetSwapTo, (u, a, u, MAX, amount, recipient, LATER)),
            abi.encodeCall(IPermitRouter.originSwapWithPermit, (origin, permit)),
            abi.encodeCall(IPermitRouter.targetSwapWithPermit, (target, permit)),
            abi.encodeCall(
                IPermitRouter.originSwapWithPermit2,
                (origin, QUOTE, _sign(KEY, _hashOriginSwap(origin, QUOTE, address(router))))
            ),
            abi.encodeCall(
                IPermitRouter.targetSwapWithPermit2,
                (target, 0, _sign(KEY, _hashTargetSwap(target, 0, address(router))))
            )
        ];
        for (uint256 i = 0; i < calls.length; i++) {
            vm.prank(stranger);
            (bool success,) = address(router).call(calls[i]);
            vm.assertEq(success, false);
            vm.assertEq(aud.balanceOf(payer), 1_000_000e6);
        }
        for (uint256 i = 0; i < calls.length; i++) {
            vm.prank(payer);
            (bool success,) = address(router).call(calls[i]);
            vm.assertEq(success, true);
        }
    }

    /// @dev Every function of the router that transfers, as the hostile token would call it.
    function _attacks() private view returns (bytes[] memory attacks) {
        (address u, address a) = (address(usd), address(aud));
        IPermitRouter.OriginSwap memory origin = IPermitRouter.OriginSwap(u, u, a, 1, 0, RECIPIENT, LATER);
        IPermitRouter.TargetSwap memory target = IPermitRouter.TargetSwap(u, u, a, MAX, 1, RECIPIENT, LATER);
        IPermitRouter.Permit memory permit = IPermitRouter.Permit(1, NOW, "");
        attacks = new bytes[](8);
        attacks[0] = abi.encodeCall(IRouter.originSwap, (u, u, a, 1, 0, LATER));
        attacks[1] = abi.encodeCall(IExactOutRouter.originSwapTo, (u, u, a, 1, 0, RECIPIENT, LATER));
        attacks[2] = abi.encodeCall(IExactOutRouter.targetSwap, (u, u, a, MAX, 1, LATER));
        attacks[3] = abi.encodeCall(IExactOutRouter.targetSwapTo, (u, u, a, MAX, 1, RECIPIENT, LATER));
        attacks[4] = abi.encodeCall(IPermitRouter.originSwapWithPermit, (origin, permit));
        attacks[5] = abi.encodeCall(IPermitRouter.targetSwapWithPermit, (target, permit));
        attacks[6] = abi.encodeCall(IPermitRouter.originSwapWithPermit2, (origin, QUOTE, ""));
        attacks[7] = abi.encodeCall(IPermitRouter.targetSwapWithPermit2, (target, QUOTE, ""));
    }

    function _assertBlocked() private view {
        vm.assertEq(hostile.succeeded(), false);
        vm.assertEq(
            hostile.outcome(),
            abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
        );
        _assertHoldsNothing();
        vm.assertEq(hostile.balanceOf(address(router)), 0);
    }

    /// @dev Converts by permits of 65 bytes that set no allowance: without an allowance in vain, then with one.
    function _expectTheAllowanceToDecide() private {
        IPermitRouter.Permit memory permit = IPermitRouter.Permit(100e6, NOW, new bytes(65));
        IPermitRouter.OriginSwap memory origin = _originSwap(hostile, eur, 100e6);
        IPermitRouter.TargetSwap memory target = _targetSwap(hostile, usd, 10e6);
        bytes4 lacking = IERC20Errors.ERC20InsufficientAllowance.selector;
        vm.expectRevert(abi.encodeWithSelector(lacking, address(router), 0, 100e6));
        vm.prank(payer);
        router.originSwapWithPermit{gas: GAS}(origin, permit);
        vm.expectRevert(abi.encodeWithSelector(lacking, address(router), 0, target.maxOriginAmount));
        vm.prank(payer);
        router.targetSwapWithPermit{gas: GAS}(target, permit);
        _approve(hostile, 100e6 + target.maxOriginAmount);
        vm.prank(payer);
        router.originSwapWithPermit{gas: GAS}(origin, permit);
        vm.prank(payer);
        router.targetSwapWithPermit{gas: GAS}(target, permit);
        vm.assertEq(hostile.balanceOf(payer), 1_000_000e6 - 100e6 - target.maxOriginAmount);
        vm.assertEq(eur.balanceOf(RECIPIENT), origin.minTargetAmount);
        vm.assertEq(usd.balanceOf(RECIPIENT), 10e6);
    }

    /// @dev Sells a token by its allowance beside a useless permit, and by Permit2, then buys it by Permit2.
    function _convertByBoth(TestToken token) private {
        _addPool(token);
        token.mint(payer, 20e6);
        usd.mint(payer, 10e6);
        _approve(token, 10e6);
        _approve(usd, 10e6);
        IPermitRouter.OriginSwap memory swap = _originSwap(token, eur, 10e6);
        vm.prank(payer);
        router.originSwapWithPermit(swap, IPermitRouter.Permit(10e6, NOW, new bytes(65)));
        bytes memory signature = _sign(KEY, _hashOriginSwap(swap, QUOTE, address(router)));
        vm.prank(payer);
        router.originSwapWithPermit2(swap, QUOTE, signature);
        vm.assertEq(eur.balanceOf(RECIPIENT), 2 * swap.minTargetAmount);
        vm.assertEq(token.balanceOf(payer), 0);
        swap = _originSwap(usd, token, 10e6);
        signature = _sign(KEY, _hashOriginSwap(swap, 0, address(router)));
        vm.prank(payer);
        router.originSwapWithPermit2(swap, 0, signature);
        vm.assertEq(token.balanceOf(RECIPIENT), swap.minTargetAmount);
        vm.assertEq(token.balanceOf(address(router)), 0);
        _assertHoldsNothing();
    }

    function _addPool(TestToken base) private {
        Pool added = _createPool(base, _createReader(address(base), address(0)), usd, usdReader);
        factory.addPool(address(added));
        base.mint(address(added), 1_000_000e6);
        usd.mint(address(added), 1_000_000e6);
    }

    /// @dev Approves the router and Permit2 as the payer.
    function _approve(TestToken token, uint256 amount) private {
        address[2] memory spenders = [address(router), PERMIT2];
        for (uint256 i = 0; i < spenders.length; i++) {
            vm.prank(payer);
            // Not all tokens return whether they have done it.
            (bool isApproved,) = address(token).call(abi.encodeCall(token.approve, (spenders[i], amount)));
            vm.assertEq(isApproved, true);
        }
    }
}
