// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ChainProof} from "./ChainProof.sol";
import {IRateErrors} from "./interfaces/IRateReader.sol";
import {Pool} from "./Pool.sol";
import {RateReader} from "./RateReader.sol";
import {Reader} from "./Reader.sol";
import {BrokenContract} from "./testing/BrokenContract.sol";
import {Fixture} from "./testing/Fixture.sol";
import {TestToken} from "./testing/TestToken.sol";

/// @dev A rate reader of the family: it has an oracle, but no maximum age.
contract FamilyAssimilator {
    address public immutable token;
    address public immutable oracle;
    uint256 public constant tokenDecimals = 6;

    constructor(address token_, address oracle_) {
        token = token_;
        oracle = oracle_;
    }
}

/// @dev A rate reader that reverts with any amount of data.
contract LongFault is FamilyAssimilator {
    uint256 private _size;

    constructor(address token_, address oracle_) FamilyAssimilator(token_, oracle_) {}

    function setSize(uint256 size) external {
        _size = size;
    }

    function getRate() external view {
        bytes memory data = new bytes(_size);
        assembly ("memory-safe") {
            revert(add(data, 32), mload(data))
        }
    }
}

contract ReaderTest is Fixture {
    /// @dev Code placed at an address without running a constructor, as a state override does.
    Reader private constant READER = Reader(address(0x4EAD));

    /// @dev At most the gas that a node grants a call.
    uint256 private constant CALL_GAS = 10_000_000;

    function setUp() public override {
        super.setUp();
        vm.etch(address(READER), type(Reader).runtimeCode);
    }

    function test_the_state_of_a_pool_holds_all_that_its_swaps_depend_on() public {
        pool.setFrozen(true);
        Reader.PoolState memory state = _stateOf(address(pool));
        vm.assertEq(state.pool, address(pool));
        vm.assertEq(state.codeHash, address(pool).codehash);
        vm.assertEq(state.base, address(aud));
        vm.assertEq(state.quote, address(usd));
        vm.assertEq(state.baseReserve, aud.balanceOf(address(pool)));
        vm.assertEq(state.quoteReserve, usd.balanceOf(address(pool)));
        vm.assertEq(state.totalSupply, pool.totalSupply());
        vm.assertEq(state.alpha, ALPHA);
        vm.assertEq(state.beta + state.delta + state.lambda, 0);
        vm.assertEq(state.epsilon, EPSILON);
        vm.assertEq(state.frozen, true);
    }

    function test_prices_come_from_the_oracles_and_the_reference_is_one_dollar_now() public {
        vm.warp(NOW + 2 * MAX_AGE);
        Reader.PoolState memory state = _stateOf(address(pool));
        vm.assertEq(state.basePrice.oracle, address(audOracle));
        vm.assertEq(state.basePrice.answer, AUD_PRICE);
        vm.assertEq(state.basePrice.updatedAt, NOW);
        vm.assertEq(state.basePrice.maxAge, MAX_AGE);
        vm.assertEq(state.quotePrice.oracle, address(0));
        vm.assertEq(state.quotePrice.answer, int256(1e8));
        vm.assertEq(state.quotePrice.updatedAt, NOW + 2 * MAX_AGE);
        vm.assertEq(state.quotePrice.maxAge, MAX_AGE);
    }

    function test_a_pool_that_enforces_no_maximum_age_has_the_largest_number() public {
        FamilyAssimilator assimilator = new FamilyAssimilator(address(aud), address(audOracle));
        Pool family = _createPool(aud, RateReader(address(assimilator)), usd, usdReader);
        Reader.PoolState memory state = _stateOf(address(family));
        vm.assertEq(state.basePrice.oracle, address(audOracle));
        vm.assertEq(state.basePrice.answer, AUD_PRICE);
        vm.assertEq(state.basePrice.maxAge, type(uint256).max);
        vm.assertEq(state.basePrice.fault, "");
    }

    function test_a_price_that_does_not_count_has_the_error_of_its_reader_and_one_that_counts_has_none() public {
        vm.assertEq(_stateOf(address(pool)).basePrice.fault, "");
        audOracle.updateAnswer(-1);
        Reader.PoolState memory state = _stateOf(address(pool));
        vm.assertEq(state.basePrice.answer, -1);
        vm.assertEq(
            state.basePrice.fault, abi.encodeWithSelector(IRateErrors.InvalidPrice.selector, address(audOracle), -1)
        );
        vm.assertEq(state.quotePrice.fault, "");
    }

    function test_revert_data_that_is_longer_than_any_error_of_a_reader_is_left_out() public {
        LongFault assimilator = new LongFault(address(aud), address(audOracle));
        Pool family = _createPool(aud, RateReader(address(assimilator)), usd, usdReader);
        assimilator.setSize(132);
        vm.assertEq(_stateOf(address(family)).basePrice.fault.length, 132);
        assimilator.setSize(133);
        vm.assertEq(_stateOf(address(family)).basePrice.fault, "");
        vm.assertEq(_stateOf(address(family)).basePrice.answer, AUD_PRICE);
    }

    function test_a_broken_pool_reads_as_zeros_and_does_not_affect_the_others() public {
        address[] memory pools = new address[](5);
        pools[0] = address(new BrokenContract(BrokenContract.Fault.Revert));
        pools[1] = address(new BrokenContract(BrokenContract.Fault.BurnAllGas));
        pools[2] = address(new BrokenContract(BrokenContract.Fault.ShortAnswer));
        pools[3] = address(0xE0A);
        pools[4] = address(pool);
        (,, Reader.PoolState[] memory states) = READER.poolStates{gas: CALL_GAS}(pools);
        for (uint256 i = 0; i < 4; i++) {
            Reader.PoolState memory expected;
            expected.pool = pools[i];
            expected.codeHash = pools[i].codehash;
            vm.assertEq(abi.encode(states[i]), abi.encode(expected));
        }
        vm.assertEq(states[4].base, address(aud));
        vm.assertEq(states[4].basePrice.answer, AUD_PRICE);
    }

    function test_contracts_that_burn_all_gas_cost_one_read_each() public {
        address[] memory pools = new address[](21);
        address burner = address(new BrokenContract(BrokenContract.Fault.BurnAllGas));
        for (uint256 i = 0; i < 20; i++) {
            pools[i] = burner;
        }
        pools[20] = address(pool);
        (,, Reader.PoolState[] memory states) = READER.poolStates{gas: CALL_GAS}(pools);
        vm.assertEq(states[20].base, address(aud));
    }

    function test_a_malformed_answer_of_a_pool_does_not_revert() public {
        Reader.PoolState memory state = _stateOf(address(new BrokenContract(BrokenContract.Fault.AllOnes)));
        vm.assertEq(state.base, address(type(uint160).max));
        vm.assertEq(state.totalSupply, type(uint256).max);
        vm.assertEq(state.frozen, true);
    }

    function test_an_implausible_answer_of_an_oracle_is_returned_unchanged() public {
        vm.etch(address(audOracle), address(new BrokenContract(BrokenContract.Fault.AllOnes)).code);
        vm.assertEq(_stateOf(address(pool)).basePrice.answer, int256(-1));
        vm.etch(address(audOracle), "");
        Reader.PoolState memory state = _stateOf(address(pool));
        vm.assertEq(state.basePrice.oracle, address(audOracle));
        vm.assertEq(state.basePrice.answer, int256(0));
        vm.assertEq(state.basePrice.updatedAt, 0);
        vm.assertEq(state.baseReserve, 1_000_000e6);
    }

    function test_aggregate_returns_each_result_and_each_revert_in_order() public {
        vm.warp(NOW + MAX_AGE + 1);
        Reader.Call[] memory calls = new Reader.Call[](4);
        calls[0] = Reader.Call(address(new BrokenContract(BrokenContract.Fault.BurnAllGas)), "");
        calls[1] = Reader.Call(address(usd), abi.encodeCall(usd.balanceOf, (address(pool))));
        calls[2] = Reader.Call(address(audReader), abi.encodeCall(audReader.getRate, ()));
        calls[3] = Reader.Call(address(READER), abi.encodeCall(READER.nativeBalance, (address(pool))));
        vm.deal(address(pool), 1 ether);
        (, uint256 timestamp, Reader.Result[] memory results) = READER.aggregate{gas: CALL_GAS / 10}(calls);
        vm.assertEq(timestamp, NOW + MAX_AGE + 1);
        vm.assertEq(results[0].success, false);
        vm.assertEq(results[1].success, true);
        vm.assertEq(results[1].data, abi.encode(1_000_000e6));
        vm.assertEq(results[2].success, false);
        vm.assertEq(
            results[2].data,
            abi.encodeWithSelector(IRateErrors.StalePrice.selector, address(audOracle), NOW, MAX_AGE)
        );
        vm.assertEq(results[3].data, abi.encode(1 ether));
    }

    function test_the_number_of_the_block_is_that_of_the_chain_and_on_arbitrum_not_that_of_its_parent() public {
        vm.roll(61);
        vm.assertEq(READER.blockNumber(), 61);
        // PUSH3 the number, MSTORE at 0, RETURN the word.
        vm.etch(address(100), hex"620f42405f5260205ff3");
        vm.assertEq(READER.blockNumber(), 1_000_000);
        // The code that Arbitrum's contract has outside of its own nodes, as on a fork.
        vm.etch(address(100), hex"fe");
        vm.assertEq(READER.blockNumber(), 61);
    }

    function test_every_result_begins_with_a_marker_and_the_id_of_its_chain() public {
        // The service compares this word with its own copy: packages/chain/src/proof/ChainProof.ts.
        bytes32 marker = keccak256("agio.ChainProof.1");
        vm.chainId(421_614);
        (ChainProof memory ofCalls,,) = READER.aggregate(new Reader.Call[](0));
        (ChainProof memory ofPools,,) = READER.poolStates(new address[](0));
        vm.assertEq(ofCalls.marker, marker);
        vm.assertEq(ofCalls.chainId, 421_614);
        vm.assertEq(ofPools.marker, marker);
        vm.assertEq(ofPools.chainId, 421_614);
    }

    function test_aggregate_changes_no_state() public {
        TestToken token = new TestToken("Token", "TOKEN", 6, address(READER));
        Reader.Call[] memory calls = new Reader.Call[](1);
        calls[0] = Reader.Call(address(token), abi.encodeCall(token.mint, (trader, 1)));
        (,, Reader.Result[] memory results) = READER.aggregate(calls);
        vm.assertEq(results[0].success, false);
        vm.assertEq(token.totalSupply(), 0);
    }

    function test_the_code_fits_into_a_state_override_of_a_few_kilobytes() public pure {
        vm.assertLe(type(Reader).runtimeCode.length, 7500);
    }

    function _stateOf(address target) private view returns (Reader.PoolState memory) {
        address[] memory pools = new address[](1);
        pools[0] = target;
        (, uint256 timestamp, Reader.PoolState[] memory states) = READER.poolStates(pools);
        vm.assertEq(timestamp, block.timestamp);
        return states[0];
    }
}
