// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Fixture} from "./Fixture.sol";
import {TestToken} from "./TestToken.sol";

contract TestTokenTest is Fixture {
    function test_the_decimals_are_those_of_the_constructor() public {
        vm.assertEq(uint256(usd.decimals()), 6);
        vm.assertEq(uint256(new TestToken("Two", "TWO", 2, address(this)).decimals()), 2);
    }

    function test_only_the_owner_mints() public {
        usd.mint(trader, 5);
        vm.assertEq(usd.balanceOf(trader), 5);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, trader));
        vm.prank(trader);
        usd.mint(trader, 5);
    }

    function test_a_signature_approves() public {
        uint256 key = 0xA11CE;
        address holder = vm.addr(key);
        bytes32 permit = keccak256(
            "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"
        );
        bytes32 message = keccak256(abi.encode(permit, holder, trader, 7, usd.nonces(holder), LATER));
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(key, keccak256(abi.encodePacked("\x19\x01", usd.DOMAIN_SEPARATOR(), message)));
        usd.permit(holder, trader, 7, LATER, v, r, s);
        vm.assertEq(usd.allowance(holder, trader), 7);
    }
}
