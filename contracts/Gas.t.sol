// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Faucet} from "./Faucet.sol";
import {RouterFixture} from "./testing/RouterFixture.sol";

/// @dev The gas of the money path and of a claim, refunds deducted, without the 21,000 of a transaction and its calldata. Each test
/// makes one call, so `.gas-snapshot` holds the gas of that call plus a few thousand for the test itself.
/// Check with `hardhat test solidity contracts/Gas.t.sol --snapshot-check`; accept a change with `--snapshot`.
contract GasTest is RouterFixture {
    Faucet private faucet;

    function setUp() public override {
        super.setUp();
        _give(usd, 2000e6, address(pool));
        _give(aud, 2000e6, address(pool));
        vm.startPrank(trader);
        pool.deposit(1000e18, 0, 0, type(uint256).max, type(uint256).max, LATER);
        usd.approve(address(router), type(uint256).max);
        aud.approve(address(router), type(uint256).max);
        vm.stopPrank();
        address[] memory tokens = new address[](2);
        uint256[] memory amounts = new uint256[](2);
        (tokens[0], tokens[1], amounts[0], amounts[1]) = (address(usd), address(aud), 1000e6, 1000e6);
        faucet = new Faucet(tokens, amounts, 24 hours);
        usd.mint(address(faucet), 1000e6);
        aud.mint(address(faucet), 1000e6);
    }

    function test_swap_in_a_pool() public {
        vm.prank(trader);
        pool.originSwap(address(usd), address(aud), 100e6, 0, LATER);
    }

    function test_swap_by_the_router_direct() public {
        vm.prank(trader);
        router.originSwap(address(usd), address(usd), address(aud), 100e6, 0, LATER);
    }

    function test_swap_by_the_router_two_hops() public {
        vm.prank(trader);
        router.originSwap(address(usd), address(aud), address(eur), 100e6, 0, LATER);
    }

    function test_exact_output_by_the_router_direct() public {
        vm.prank(trader);
        router.targetSwap(address(usd), address(usd), address(aud), 100e6, 100e6, LATER);
    }

    function test_exact_output_by_the_router_two_hops() public {
        vm.prank(trader);
        router.targetSwap(address(usd), address(aud), address(eur), 200e6, 100e6, LATER);
    }

    function test_deposit() public {
        vm.prank(trader);
        pool.deposit(100e18, 0, 0, type(uint256).max, type(uint256).max, LATER);
    }

    function test_withdraw() public {
        vm.prank(trader);
        pool.withdraw(1e12, LATER);
    }

    function test_claim_of_two_tokens() public {
        vm.prank(trader, trader);
        faucet.claimAll();
    }
}
