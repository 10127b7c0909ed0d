// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Faucet} from "./Faucet.sol";
import {IFaucet} from "./interfaces/IFaucet.sol";
import {Fixture} from "./testing/Fixture.sol";
import {TestToken} from "./testing/TestToken.sol";

/// @dev Claims for a new address, and passes the tokens on.
contract Claimer {
    constructor(Faucet faucet, address receiver) {
        faucet.claimAll();
        address[] memory tokens = faucet.tokens();
        for (uint256 i = 0; i < tokens.length; i++) {
            TestToken(tokens[i]).transfer(receiver, TestToken(tokens[i]).balanceOf(address(this)));
        }
    }
}

/// @dev Claims for many new addresses in one transaction.
contract Drainer {
    function drain(Faucet faucet, uint256 claims) external {
        for (uint256 i = 0; i < claims; i++) {
            new Claimer(faucet, msg.sender);
        }
    }
}

contract FaucetTest is Fixture {
    uint256 private constant COOLDOWN = 24 hours;
    uint256 private constant MAX = type(uint256).max;

    address private immutable other = address(0xB0B);
    address private immutable third = address(0xCA7);

    Faucet private faucet;

    function setUp() public override {
        super.setUp();
        faucet = _createFaucet(COOLDOWN);
        usd.mint(address(faucet), 2000e6);
        aud.mint(address(faucet), 1000e6);
    }

    function test_the_views_return_the_tokens_their_amounts_and_the_cooldown() public view {
        vm.assertEq(faucet.cooldown(), COOLDOWN);
        vm.assertEq(faucet.tokens().length, 2);
        vm.assertEq(faucet.tokens()[0], address(usd));
        vm.assertEq(faucet.tokens()[1], address(aud));
        vm.assertEq(faucet.dripOf(address(usd)), 1000e6);
        vm.assertEq(faucet.dripOf(address(aud)), 500e6);
        vm.assertEq(faucet.dripOf(trader), 0);
    }

    function test_a_claim_pays_every_token_and_emits_an_event_for_each() public {
        vm.expectEmit(address(faucet));
        emit IFaucet.Claimed(trader, address(usd), 1000e6);
        vm.expectEmit(address(faucet));
        emit IFaucet.Claimed(trader, address(aud), 500e6);
        _claim();
        vm.assertEq(usd.balanceOf(trader), 1000e6);
        vm.assertEq(aud.balanceOf(trader), 500e6);
    }

    function test_the_first_claim_works_on_a_chain_younger_than_the_cooldown() public {
        vm.warp(1);
        vm.assertEq(faucet.nextClaimAt(trader), 0);
        vm.assertEq(faucet.lastClaimAt(trader), 0);
        _claim();
        vm.assertEq(faucet.lastClaimAt(trader), 1);
        vm.assertEq(faucet.nextClaimAt(trader), 1 + COOLDOWN);
    }

    function test_error_CooldownActive_until_its_last_second() public {
        _claim();
        vm.warp(NOW + COOLDOWN - 1);
        vm.expectRevert(abi.encodeWithSelector(IFaucet.CooldownActive.selector, NOW + COOLDOWN));
        _claim();
        vm.warp(NOW + COOLDOWN);
        _claim();
        vm.assertEq(usd.balanceOf(trader), 2000e6);
    }

    function test_each_account_has_a_cooldown_of_its_own() public {
        _claim();
        _claimAs(other);
        vm.assertEq(usd.balanceOf(other), 1000e6);
    }

    function test_error_FaucetDry_pays_nothing_and_starts_no_cooldown() public {
        _claim();
        _claimAs(other);
        vm.expectRevert(abi.encodeWithSelector(IFaucet.FaucetDry.selector, address(usd)));
        _claimAs(third);
        vm.assertEq(faucet.lastClaimAt(third), 0);
    }

    function test_error_FaucetDry_names_the_missing_token() public {
        usd.mint(address(faucet), 1000e6);
        _claim();
        _claimAs(other);
        vm.expectRevert(abi.encodeWithSelector(IFaucet.FaucetDry.selector, address(aud)));
        _claimAs(third);
    }

    function test_error_CallerIsContract_for_a_contract_that_claims_for_many_new_addresses() public {
        Drainer drainer = new Drainer();
        usd.mint(address(faucet), 20_000e6);
        aud.mint(address(faucet), 10_000e6);
        (bool drained,) = address(drainer).call(abi.encodeCall(Drainer.drain, (faucet, 20)));
        vm.assertEq(drained, false);
        vm.assertEq(usd.balanceOf(address(this)), 0);
    }

    function test_error_CallerIsContract_names_the_contract_and_starts_no_cooldown() public {
        vm.expectRevert(abi.encodeWithSelector(IFaucet.CallerIsContract.selector, address(pool)));
        vm.prank(address(pool), trader);
        faucet.claimAll();
        vm.assertEq(faucet.lastClaimAt(address(pool)), 0);
        vm.assertEq(faucet.lastClaimAt(trader), 0);
    }

    function test_an_account_that_has_delegated_to_code_claims_for_itself() public {
        // The code of an EIP-7702 delegation: a wallet that sends its own transaction is its origin.
        vm.etch(trader, abi.encodePacked(hex"ef0100", address(pool)));
        _claim();
        vm.assertEq(usd.balanceOf(trader), 1000e6);
    }

    function test_error_LengthMismatch_and_InvalidDrip_for_an_inconsistent_list() public {
        address[] memory tokens = new address[](2);
        (tokens[0], tokens[1]) = (address(usd), address(usd));
        vm.expectRevert(abi.encodeWithSelector(IFaucet.LengthMismatch.selector, 2, 1));
        new Faucet(tokens, new uint256[](1), COOLDOWN, address(this));
        vm.expectRevert(abi.encodeWithSelector(IFaucet.InvalidDrip.selector, address(usd), 0));
        new Faucet(tokens, new uint256[](2), COOLDOWN, address(this));
        uint256[] memory amounts = new uint256[](2);
        (amounts[0], amounts[1]) = (1, 2);
        vm.expectRevert(abi.encodeWithSelector(IFaucet.InvalidDrip.selector, address(usd), 2));
        new Faucet(tokens, amounts, COOLDOWN, address(this));
    }

    function test_the_owner_withdraws_tokens_of_claims_and_others() public {
        TestToken eur = new TestToken("Euro", "EUR", 6, address(this));
        eur.mint(address(faucet), 7);
        vm.expectEmit(address(faucet));
        emit IFaucet.Withdrawn(address(eur), other, 7);
        faucet.withdraw(address(eur), 7, other);
        faucet.withdraw(address(usd), 1500e6, other);
        vm.assertEq(eur.balanceOf(other), 7);
        vm.assertEq(usd.balanceOf(other), 1500e6);
        vm.expectRevert(abi.encodeWithSelector(IFaucet.FaucetDry.selector, address(usd)));
        _claim();
        usd.mint(address(faucet), 500e6);
        _claim();
    }

    function test_error_InvalidRecipient_for_a_withdrawal_to_zero_or_to_the_faucet() public {
        vm.expectRevert(abi.encodeWithSelector(IFaucet.InvalidRecipient.selector, address(0)));
        faucet.withdraw(address(usd), 1, address(0));
        vm.expectRevert(abi.encodeWithSelector(IFaucet.InvalidRecipient.selector, address(faucet)));
        faucet.withdraw(address(usd), 1, address(faucet));
    }

    function testFuzz_a_withdrawal_moves_exactly_its_amount_and_only_for_the_owner(address caller, uint256 amount)
        public
    {
        vm.prank(trader);
        usd.approve(address(faucet), MAX);
        usd.mint(trader, 5000e6);
        if (caller != address(this)) {
            vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, caller));
            vm.prank(caller);
            faucet.withdraw(address(usd), amount, other);
        }
        amount = _bound(amount, 0, 4000e6);
        (bool success,) =
            address(faucet).call(abi.encodeCall(IFaucet.withdraw, (address(usd), amount, other)));
        vm.assertEq(success, amount <= 2000e6);
        vm.assertEq(usd.balanceOf(other), success ? amount : 0);
        vm.assertEq(usd.balanceOf(address(faucet)) + usd.balanceOf(other), 2000e6);
        vm.assertEq(usd.balanceOf(trader), 5000e6);
    }

    function test_a_withdrawal_changes_no_cooldown() public {
        _claim();
        faucet.withdraw(address(usd), 1000e6, trader);
        vm.assertEq(faucet.lastClaimAt(trader), NOW);
        vm.assertEq(faucet.nextClaimAt(trader), NOW + COOLDOWN);
    }

    function _createFaucet(uint256 cooldown) private returns (Faucet) {
        address[] memory tokens = new address[](2);
        uint256[] memory amounts = new uint256[](2);
        (tokens[0], tokens[1]) = (address(usd), address(aud));
        (amounts[0], amounts[1]) = (1000e6, 500e6);
        return new Faucet(tokens, amounts, cooldown, address(this));
    }

    function _claim() private {
        _claimAs(trader);
    }

    /// @dev Claims in a transaction that the account sends itself.
    function _claimAs(address account) private {
        vm.prank(account, account);
        faucet.claimAll();
    }
}
