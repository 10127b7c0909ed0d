// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Fixture} from "./Fixture.sol";
import {MarkupPool} from "./MarkupPool.sol";

contract MarkupPoolTest is Fixture {
    MarkupPool private marked;

    function setUp() public override {
        super.setUp();
        marked = new MarkupPool(_configOf(aud, audReader, usd, usdReader));
        _fund(marked, 1_000_000e6, 1_000_000e6);
    }

    function test_an_exact_input_pays_the_same_as_in_a_pool() public view {
        vm.assertEq(marked.viewOriginSwap(address(usd), address(aud), 1000e6), 1_534_858_721);
        vm.assertEq(marked.viewOriginSwap(address(aud), address(usd), 1000e6), 650_874_400);
    }

    function test_an_exact_output_costs_the_fee_times_the_input() public {
        uint256 cost = 651_200_000 + 325_600;
        vm.assertEq(pool.viewTargetSwap(address(usd), address(aud), 1000e6), cost + 164);
        vm.assertEq(marked.viewTargetSwap(address(usd), address(aud), 1000e6), cost);
        _give(usd, cost, address(marked));
        vm.prank(trader);
        vm.assertEq(marked.targetSwap(address(usd), address(aud), cost, 1000e6, LATER), cost);
        vm.assertEq(aud.balanceOf(trader), 1000e6);
    }
}
