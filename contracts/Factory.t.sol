// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Factory} from "./Factory.sol";
import {IFactory} from "./interfaces/IFactory.sol";
import {Pool} from "./Pool.sol";
import {Fixture} from "./testing/Fixture.sol";

/// @dev A pool whose tokens change, and that can stop returning them.
contract ShiftingPool {
    address[2] private _tokens;
    bool private _isBroken;

    function set(address base, address quote) external {
        _tokens = [base, quote];
    }

    function stop() external {
        _isBroken = true;
    }

    function numeraires(uint256 index) external view returns (address) {
        require(!_isBroken);
        return _tokens[index];
    }
}

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

    function test_only_the_owner_adds_and_removes_pools() public {
        bytes memory reason = abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, trader);
        vm.expectRevert(reason);
        vm.prank(trader);
        factory.addPool(address(pool));
        factory.addPool(address(pool));
        vm.expectRevert(reason);
        vm.prank(trader);
        factory.removePool(address(pool));
    }

    function test_a_removed_pool_is_found_no_longer_and_its_pair_takes_another_pool_in_either_order() public {
        bytes32 id = keccak256(abi.encode(address(aud), address(usd)));
        factory.addPool(address(pool));
        vm.expectEmit(address(factory));
        emit IFactory.CurveRemoved(address(this), id, address(pool));
        factory.removePool(address(pool));
        vm.assertEq(factory.getCurve(address(aud), address(usd)), address(0));
        vm.assertEq(factory.curves(id), address(0));
        Pool reversed = _createPool(usd, usdReader, aud, audReader);
        factory.addPool(address(reversed));
        vm.assertEq(factory.getCurve(address(usd), address(aud)), address(reversed));
        factory.removePool(address(reversed));
        factory.addPool(address(pool));
        vm.assertEq(factory.curves(id), address(pool));
    }

    function test_error_PoolNotRegistered_for_an_unknown_and_for_a_removed_pool_of_a_registered_pair() public {
        Pool same = _createPool(aud, audReader, usd, usdReader);
        factory.addPool(address(pool));
        _assertNotRegistered(address(same));
        _assertNotRegistered(address(0));
        factory.removePool(address(pool));
        _assertNotRegistered(address(pool));
        factory.addPool(address(same));
        _assertNotRegistered(address(pool));
        vm.assertEq(factory.getCurve(address(aud), address(usd)), address(same));
    }

    function test_a_pool_whose_tokens_have_changed_or_that_reverts_is_removed_from_its_pair() public {
        ShiftingPool shifting = new ShiftingPool();
        shifting.set(address(aud), address(usd));
        factory.addPool(address(shifting));
        shifting.set(address(1), address(2));
        factory.removePool(address(shifting));
        vm.assertEq(factory.getCurve(address(aud), address(usd)), address(0));
        factory.addPool(address(shifting));
        shifting.stop();
        factory.removePool(address(shifting));
        vm.assertEq(factory.getCurve(address(1), address(2)), address(0));
    }

    function test_error_PoolExists_for_a_pool_that_is_registered_under_another_pair() public {
        ShiftingPool shifting = new ShiftingPool();
        shifting.set(address(aud), address(usd));
        factory.addPool(address(shifting));
        shifting.set(address(1), address(2));
        bytes32 id = keccak256(abi.encode(address(aud), address(usd)));
        vm.expectRevert(abi.encodeWithSelector(IFactory.PoolExists.selector, address(shifting), id));
        factory.addPool(address(shifting));
    }

    /// @dev Adds, removes and shifts four pools over three tokens at random, and compares with a list of the registered pools.
    function testFuzz_the_registry_holds_what_was_added_and_not_removed(uint256 seed) public {
        ShiftingPool[4] memory pools;
        address[2][4] memory pairs;
        for (uint256 i = 0; i < 4; i++) pools[i] = new ShiftingPool();
        for (uint256 step = 0; step < 24; step++) {
            uint256 draw = uint256(keccak256(abi.encode(seed, step)));
            uint256 index = draw % 4;
            address base = address(uint160(1 + (draw >> 8) % 3));
            address quote = address(uint160(1 + (uint160(base) + (draw >> 16) % 2) % 3));
            address pool_ = address(pools[index]);
            pools[index].set(base, quote);
            if ((draw >> 24) % 2 == 0) {
                bool isExpected = pairs[index][0] != address(0);
                (bool success,) = address(factory).call(abi.encodeCall(IFactory.removePool, (pool_)));
                vm.assertEq(success, isExpected);
                delete pairs[index];
            } else {
                bool isExpected = pairs[index][0] == address(0);
                for (uint256 i = 0; i < 4; i++) {
                    bool isPair = pairs[i][0] == base && pairs[i][1] == quote;
                    if (isPair || (pairs[i][0] == quote && pairs[i][1] == base)) isExpected = false;
                }
                (bool success,) = address(factory).call(abi.encodeCall(IFactory.addPool, (pool_)));
                vm.assertEq(success, isExpected);
                if (success) pairs[index] = [base, quote];
            }
            for (uint256 i = 0; i < 4; i++) {
                if (pairs[i][0] == address(0)) continue;
                vm.assertEq(factory.getCurve(pairs[i][0], pairs[i][1]), address(pools[i]));
            }
        }
    }

    function _assertNotRegistered(address pool_) private {
        vm.expectRevert(abi.encodeWithSelector(IFactory.PoolNotRegistered.selector, pool_));
        factory.removePool(pool_);
    }
}
