// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Factory} from "./Factory.sol";
import {Faucet} from "./Faucet.sol";
import {Owned} from "./Owned.sol";
import {Fixture} from "./testing/Fixture.sol";
import {PlainToken} from "./testing/PlainToken.sol";
import {ResetToken} from "./testing/ResetToken.sol";

contract OwnedTest is Fixture {
    address private immutable other = address(0xB0B);

    Owned[] private _contracts;

    function setUp() public override {
        super.setUp();
        address owner = address(this);
        _contracts.push(pool);
        _contracts.push(audOracle);
        _contracts.push(aud);
        _contracts.push(new Factory(owner));
        _contracts.push(new Faucet(new address[](0), new uint256[](0), 0, owner));
        _contracts.push(new PlainToken("Plain", "P", 6, owner));
        _contracts.push(new ResetToken("Reset", "R", 6, owner));
    }

    function test_the_selectors_are_those_of_Ownable2Step() public view {
        vm.assertEq(bytes32(pool.owner.selector), bytes32(bytes4(0x8da5cb5b)));
        vm.assertEq(bytes32(pool.pendingOwner.selector), bytes32(bytes4(0xe30c3978)));
        vm.assertEq(bytes32(pool.transferOwnership.selector), bytes32(bytes4(0xf2fde38b)));
        vm.assertEq(bytes32(pool.acceptOwnership.selector), bytes32(bytes4(0x79ba5097)));
        vm.assertEq(bytes32(pool.renounceOwnership.selector), bytes32(bytes4(0x715018a6)));
    }

    function test_a_proposed_owner_owns_nothing_until_it_accepts() public {
        for (uint256 i = 0; i < _contracts.length; i++) {
            Owned owned = _contracts[i];
            vm.expectEmit(address(owned));
            emit Ownable2Step.OwnershipTransferStarted(address(this), trader);
            owned.transferOwnership(trader);
            vm.assertEq(owned.owner(), address(this));
            vm.assertEq(owned.pendingOwner(), trader);
            _expectUnauthorized(trader);
            owned.transferOwnership(other);
            vm.expectEmit(address(owned));
            emit Ownable.OwnershipTransferred(address(this), trader);
            vm.prank(trader);
            owned.acceptOwnership();
            vm.assertEq(owned.owner(), trader);
            vm.assertEq(owned.pendingOwner(), address(0));
            vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, address(this)));
            owned.transferOwnership(other);
        }
    }

    function test_the_owner_replaces_or_withdraws_a_proposal() public {
        for (uint256 i = 0; i < _contracts.length; i++) {
            Owned owned = _contracts[i];
            owned.transferOwnership(trader);
            owned.transferOwnership(other);
            _expectUnauthorized(trader);
            owned.acceptOwnership();
            owned.transferOwnership(address(0));
            _expectUnauthorized(other);
            owned.acceptOwnership();
            vm.assertEq(owned.owner(), address(this));
        }
    }

    function test_error_OwnershipNotRenounceable_for_the_owner_and_for_others() public {
        for (uint256 i = 0; i < _contracts.length; i++) {
            vm.expectRevert(abi.encodeWithSelector(Owned.OwnershipNotRenounceable.selector));
            _contracts[i].renounceOwnership();
            vm.expectRevert(abi.encodeWithSelector(Owned.OwnershipNotRenounceable.selector));
            vm.prank(trader);
            _contracts[i].renounceOwnership();
            vm.assertEq(_contracts[i].owner(), address(this));
        }
    }

    function test_a_proposal_and_its_acceptance_leave_a_pool_frozen_which_shares_their_storage_slot() public {
        pool.setFrozen(true);
        pool.transferOwnership(address(type(uint160).max));
        vm.assertEq(pool.frozen(), true);
        pool.setFrozen(false);
        vm.assertEq(pool.pendingOwner(), address(type(uint160).max));
        pool.setFrozen(true);
        vm.prank(address(type(uint160).max));
        pool.acceptOwnership();
        vm.assertEq(pool.frozen(), true);
    }

    function testFuzz_only_the_proposed_account_accepts(address proposed, address caller) public {
        pool.transferOwnership(proposed);
        if (caller != proposed) {
            _expectUnauthorized(caller);
            pool.acceptOwnership();
            vm.assertEq(pool.owner(), address(this));
        }
    }

    /// @dev Sends the next call from an account, which must be refused.
    function _expectUnauthorized(address account) private {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, account));
        vm.prank(account);
    }
}
