// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Factory} from "./Factory.sol";
import {IFactory} from "./interfaces/IFactory.sol";
import {Pool} from "./Pool.sol";
import {Fixture} from "./testing/Fixture.sol";

contract FactoryTest is Fixture {
    Factory private factory;

    function setUp() public override {
        super.setUp();
        factory = new Factory(address(this));
    }

    function test_a_pool_is_found_by_its_pair_and_by_the_familys_id() public {
        bytes32 id = keccak256(abi.encode(address(aud), address(usd)));
        vm.expectEmit(address(factory));
        emit IFactory.NewCurve(address(this), id, address(pool));
        factory.addPool(address(pool));
        vm.assertEq(factory.getCurve(address(aud), address(usd)), address(pool));
        vm.assertEq(factory.curves(id), address(pool));
        vm.assertEq(factory.getCurve(address(usd), address(aud)), address(0));
    }

    function test_the_selectors_and_the_event_match_the_family() public pure {
        vm.assertEq(bytes32(IFactory.curves.selector), bytes32(bytes4(0x66903e80)));
        vm.assertEq(bytes32(IFactory.getCurve.selector), bytes32(bytes4(0x4ca98f68)));
        vm.assertEq(IFactory.NewCurve.selector, 0xe7a19de9e8788cc07c144818f2945144acd6234f790b541aa1010371c8b2a73b);
    }

    function test_error_PairExists_for_a_second_pool_of_a_pair_in_either_order() public {
        factory.addPool(address(pool));
        Pool same = _createPool(aud, audReader, usd, usdReader);
        bytes4 exists = IFactory.PairExists.selector;
        vm.expectRevert(abi.encodeWithSelector(exists, address(aud), address(usd), address(pool)));
        factory.addPool(address(same));
        Pool reversed = _createPool(usd, usdReader, aud, audReader);
        vm.expectRevert(abi.encodeWithSelector(exists, address(usd), address(aud), address(pool)));
        factory.addPool(address(reversed));
    }

    function test_only_the_owner_adds_pools() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, trader));
        vm.prank(trader);
        factory.addPool(address(pool));
    }
}
