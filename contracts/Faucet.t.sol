// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Faucet} from "./Faucet.sol";
import {IFaucet} from "./interfaces/IFaucet.sol";
import {Fixture} from "./testing/Fixture.sol";

contract FaucetTest is Fixture {
    uint256 private constant COOLDOWN = 24 hours;

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
        faucet.claimAll();
        vm.assertEq(usd.balanceOf(address(this)), 1000e6);
    }

    function test_error_FaucetDry_pays_nothing_and_starts_no_cooldown() public {
        _claim();
        faucet.claimAll();
        vm.expectRevert(abi.encodeWithSelector(IFaucet.FaucetDry.selector, address(usd)));
        vm.prank(address(pool));
        faucet.claimAll();
        vm.assertEq(faucet.lastClaimAt(address(pool)), 0);
    }

    function test_error_FaucetDry_names_the_missing_token() public {
        usd.mint(address(faucet), 1000e6);
        _claim();
        faucet.claimAll();
        vm.expectRevert(abi.encodeWithSelector(IFaucet.FaucetDry.selector, address(aud)));
        vm.prank(address(pool));
        faucet.claimAll();
    }

    function test_error_LengthMismatch_and_InvalidDrip_for_an_inconsistent_list() public {
        address[] memory tokens = new address[](2);
        (tokens[0], tokens[1]) = (address(usd), address(usd));
        vm.expectRevert(abi.encodeWithSelector(IFaucet.LengthMismatch.selector, 2, 1));
        new Faucet(tokens, new uint256[](1), COOLDOWN);
        vm.expectRevert(abi.encodeWithSelector(IFaucet.InvalidDrip.selector, address(usd), 0));
        new Faucet(tokens, new uint256[](2), COOLDOWN);
        uint256[] memory amounts = new uint256[](2);
        (amounts[0], amounts[1]) = (1, 2);
        vm.expectRevert(abi.encodeWithSelector(IFaucet.InvalidDrip.selector, address(usd), 2));
        new Faucet(tokens, amounts, COOLDOWN);
    }

    function _createFaucet(uint256 cooldown) private returns (Faucet) {
        address[] memory tokens = new address[](2);
        uint256[] memory amounts = new uint256[](2);
        (tokens[0], tokens[1]) = (address(usd), address(aud));
        (amounts[0], amounts[1]) = (1000e6, 500e6);
        return new Faucet(tokens, amounts, cooldown);
    }

    function _claim() private {
        vm.prank(trader);
        faucet.claimAll();
    }
}
