// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPermitRouter} from "./interfaces/IPermitRouter.sol";
import {Faucet} from "./Faucet.sol";
import {Pool} from "./Pool.sol";
import {RateReader} from "./RateReader.sol";
import {PermitFixture} from "./testing/PermitFixture.sol";
import {TestOracle} from "./testing/TestOracle.sol";
import {TestToken} from "./testing/TestToken.sol";

/// @dev The gas of the money path and of a claim, refunds deducted, without the 21,000 of a transaction and its calldata. Each test
/// makes one call, so `.gas-snapshot` holds the gas of that call plus a few thousand for the test itself.
/// Check with `hardhat test solidity contracts/Gas.t.sol --snapshot-check`; accept a change with `--snapshot`.
///
/// The conversions by a signature are the first ones of their payer, who has approved nothing (a permit) or Permit2 (without limit).
/// They are made and signed in `setUp`, so that a test finds no token warm, and are read while gas is not counted.
contract GasTest is PermitFixture {
    Faucet private faucet;
    Pool private sequencedPool;
    Pool private steppedPool;
    Pool private peggedPool;

    mapping(bytes4 selector => mapping(address target => bytes data)) private _calls;

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
        _signConversions(usd);
        _signConversions(eur);
        faucet = new Faucet(tokens, amounts, 24 hours, address(this));
        usd.mint(address(faucet), 1000e6);
        aud.mint(address(faucet), 1000e6);
        _createGuardedPools();
    }

    function test_swap_in_a_pool() public {
        _swap(pool);
    }

    function test_swap_in_a_pool_with_a_sequencer_feed() public {
        _swap(sequencedPool);
    }

    function test_swap_in_a_pool_with_a_largest_step() public {
        _swap(steppedPool);
    }

    function test_swap_in_a_pool_with_a_reference_feed() public {
        _swap(peggedPool);
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

    function test_permit_by_the_router_direct() public {
        _convert(IPermitRouter.originSwapWithPermit.selector, usd);
    }

    function test_permit_by_the_router_two_hops() public {
        _convert(IPermitRouter.originSwapWithPermit.selector, eur);
    }

    function test_permit_and_exact_output_by_the_router_direct() public {
        _convert(IPermitRouter.targetSwapWithPermit.selector, usd);
    }

    function test_permit_and_exact_output_by_the_router_two_hops() public {
        _convert(IPermitRouter.targetSwapWithPermit.selector, eur);
    }

    function test_permit2_by_the_router_direct() public {
        _convert(IPermitRouter.originSwapWithPermit2.selector, usd);
    }

    function test_permit2_by_the_router_two_hops() public {
        _convert(IPermitRouter.originSwapWithPermit2.selector, eur);
    }

    function test_permit2_and_exact_output_by_the_router_direct() public {
        _convert(IPermitRouter.targetSwapWithPermit2.selector, usd);
    }

    function test_permit2_and_exact_output_by_the_router_two_hops() public {
        _convert(IPermitRouter.targetSwapWithPermit2.selector, eur);
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

    /// @dev Signs the four ways to pay 100 or more of the payer's Australian dollars.
    function _signConversions(TestToken target) private {
        aud.mint(payer, 1000e6);
        vm.prank(payer);
        aud.approve(PERMIT2, MAX);
        IPermitRouter.OriginSwap memory origin = _originSwap(aud, target, 100e6);
        IPermitRouter.TargetSwap memory swap = _targetSwap(aud, target, 100e6);
        _store(target, abi.encodeCall(router.originSwapWithPermit, (origin, _permit(aud, 100e6))));
        _store(target, abi.encodeCall(router.targetSwapWithPermit, (swap, _permit(aud, swap.maxOriginAmount))));
        bytes memory signature = _sign(KEY, _hashOriginSwap(origin, bytes32(MAX), address(router)));
        _store(target, abi.encodeCall(router.originSwapWithPermit2, (origin, bytes32(MAX), signature)));
        signature = _sign(KEY, _hashTargetSwap(swap, bytes32(MAX), address(router)));
        _store(target, abi.encodeCall(router.targetSwapWithPermit2, (swap, bytes32(MAX), signature)));
    }

    /// @dev One pool with each of the optional feeds, and one with a largest step.
    function _createGuardedPools() private {
        TestOracle sequencer = new TestOracle("Sequencer", 0, address(this));
        sequencer.setRound(0, 1);
        RateReader.Config memory config = _readerConfigOf(address(aud), address(audOracle));
        config.sequencerFeed = address(sequencer);
        sequencedPool = _createPool(aud, new RateReader(config), usd, usdReader);
        audOracle.updateAnswer(AUD_PRICE);
        config = _readerConfigOf(address(aud), address(audOracle));
        config.maxStep = 0.1e18;
        steppedPool = _createPool(aud, new RateReader(config), usd, usdReader);
        config = _readerConfigOf(address(usd), address(0));
        config.referenceFeed = address(new TestOracle("USDC / USD", 1e8, address(this)));
        peggedPool = _createPool(aud, audReader, usd, new RateReader(config));
        Pool[3] memory pools = [sequencedPool, steppedPool, peggedPool];
        for (uint256 i = 0; i < pools.length; i++) {
            _fund(pools[i], 1_000_000e6, 1_000_000e6);
            _give(usd, 100e6, address(pools[i]));
        }
    }

    function _swap(Pool target) private {
        vm.prank(trader);
        target.originSwap(address(usd), address(aud), 100e6, 0, LATER);
    }

    function _store(TestToken target, bytes memory data) private {
        _calls[bytes4(data)][address(target)] = data;
    }

    function _convert(bytes4 selector, TestToken target) private {
        vm.pauseGasMetering();
        bytes memory data = _calls[selector][address(target)];
        address to = address(router);
        vm.prank(payer);
        vm.resumeGasMetering();
        (bool success,) = to.call(data);
        vm.assertEq(success, true);
    }
}
