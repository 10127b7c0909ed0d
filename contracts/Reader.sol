// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ChainProof, proveChain} from "./ChainProof.sol";
import {IAggregatorV3} from "./interfaces/IAggregatorV3.sol";
import {IPool} from "./interfaces/IPool.sol";
import {IRateReader} from "./interfaces/IRateReader.sol";
import {PRICE_ONE} from "./PoolMath.sol";

/// @title Reader
/// @notice Batches many reads of one block into one call. Works for any pool of the family.
/// @dev Runs at any address through a state override of eth_call, so it has no constructor and no storage. A read that
/// fails does not make the batch fail. Every result begins with the proof of its chain.
contract Reader {
    struct Call {
        address target;
        bytes data;
    }

    struct Result {
        bool success;
        bytes data;
    }

    /// @param oracle The feed; zero for the reference token, or when it could not be read.
    /// @param answer Dollars per whole token, 8 decimals.
    /// @param updatedAt Unix seconds of the answer.
    /// @param maxAge The maximum age of the answer that the pool enforces, in seconds; the largest number if it enforces none.
    struct PriceState {
        address oracle;
        int256 answer;
        uint256 updatedAt;
        uint256 maxAge;
    }

    /// @dev A value that could not be read is zero. Reserves are raw balances; curve parameters have 18 decimals.
    /// `frozen` is also true in the family's emergency, when swaps revert although views return.
    struct PoolState {
        address pool;
        bytes32 codeHash;
        address base;
        address quote;
        uint256 baseReserve;
        uint256 quoteReserve;
        uint256 totalSupply;
        uint256 alpha;
        uint256 beta;
        uint256 delta;
        uint256 epsilon;
        uint256 lambda;
        bool frozen;
        PriceState basePrice;
        PriceState quotePrice;
    }

    /// @dev Arbitrum's own contract, whose code only its nodes have.
    address private constant ARB_SYS = address(100);

    uint256 private constant NO_MAX_AGE = type(uint256).max;
    uint256 private constant PRICE_DECIMALS = 8;

    /// @dev More than any feed has. A power of ten beyond it might not fit a word.
    uint256 private constant MAX_ORACLE_DECIMALS = 60;

    /// @dev Ten times the gas of the most expensive read: a read that burns all of it leaves enough for the others.
    uint256 private constant READ_GAS = 300_000;

    /// @notice Makes many calls at one block.
    /// @dev Each call gets an equal share of the remaining gas, so none can starve the others.
    /// @param calls The calls. They are static: none can change state.
    /// @return proof The proof of the chain.
    /// @return timestamp The block's time, unix seconds.
    /// @return results One per call: its return data, or its revert data if `success` is false.
    function aggregate(Call[] calldata calls)
        external
        view
        returns (ChainProof memory proof, uint256 timestamp, Result[] memory results)
    {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            uint256 share = gasleft() / (calls.length - i + 1);
            (results[i].success, results[i].data) = calls[i].target.staticcall{gas: share}(calls[i].data);
        }
        return (proveChain(), block.timestamp, results);
    }

    /// @notice The native balance of an account, in wei.
    /// @param account The account.
    function nativeBalance(address account) external view returns (uint256) {
        return account.balance;
    }

    /// @notice The number of the block, as the nodes of the chain count it.
    /// @dev On Arbitrum `block.number` is that of its parent chain. Elsewhere `ARB_SYS` has no code, and returns nothing.
    function blockNumber() external view returns (uint256) {
        (bool ok, bytes memory result) = _read(ARB_SYS, abi.encodeWithSignature("arbBlockNumber()"), 1);
        return ok ? abi.decode(result, (uint256)) : block.number;
    }

    /// @notice The state that prices the swaps of many pools at one block.
    /// @param pools Addresses that may hold a pool of the family.
    /// @return proof The proof of the chain.
    /// @return timestamp The block's time, unix seconds.
    /// @return states One per pool, in the order of `pools`.
    function poolStates(address[] calldata pools)
        external
        view
        returns (ChainProof memory proof, uint256 timestamp, PoolState[] memory states)
    {
        states = new PoolState[](pools.length);
        for (uint256 i = 0; i < pools.length; i++) {
            _readPool(pools[i], states[i]);
        }
        return (proveChain(), block.timestamp, states);
    }

    function _readPool(address pool, PoolState memory state) private view {
        state.pool = pool;
        state.codeHash = pool.codehash;
        state.base = _readAddress(pool, abi.encodeCall(IPool.numeraires, (0)));
        // Not a pool: one that burns the gas of each read would cost ten times as much.
        if (state.base == address(0)) return;
        state.quote = _readAddress(pool, abi.encodeCall(IPool.numeraires, (1)));
        state.baseReserve = _readUint(state.base, abi.encodeCall(IERC20.balanceOf, (pool)));
        state.quoteReserve = _readUint(state.quote, abi.encodeCall(IERC20.balanceOf, (pool)));
        state.totalSupply = _readUint(pool, abi.encodeCall(IERC20.totalSupply, ()));
        state.frozen = _readUint(pool, abi.encodeCall(IPool.frozen, ())) != 0
            || _readUint(pool, abi.encodeCall(IPool.emergency, ())) != 0;
        (bool ok, bytes memory curve) = _read(pool, abi.encodeCall(IPool.viewCurve, ()), 5);
        if (ok) {
            (state.alpha, state.beta, state.delta, state.epsilon, state.lambda) =
                abi.decode(curve, (uint256, uint256, uint256, uint256, uint256));
        }
        _readPrice(pool, state.base, state.basePrice);
        _readPrice(pool, state.quote, state.quotePrice);
    }

    function _readPrice(address pool, address token, PriceState memory price) private view {
        address reader = _readAddress(pool, abi.encodeCall(IPool.assimilator, (token)));
        (bool hasOracle, bytes memory data) = _read(reader, abi.encodeCall(IRateReader.oracle, ()), 1);
        if (!hasOracle) return;
        bool saysMaxAge;
        price.oracle = _toAddress(data);
        (saysMaxAge, data) = _read(reader, abi.encodeCall(IRateReader.maxAge, ()), 1);
        price.maxAge = saysMaxAge ? abi.decode(data, (uint256)) : NO_MAX_AGE;
        if (price.oracle == address(0)) {
            price.answer = int256(PRICE_ONE);
            price.updatedAt = block.timestamp;
            return;
        }
        (bool answered, bytes memory round) = _read(price.oracle, abi.encodeCall(IAggregatorV3.latestRoundData, ()), 5);
        if (!answered) return;
        // Decoded as full words: with a narrower type, a malformed answer of one feed would revert the whole call.
        (, price.answer,, price.updatedAt,) = abi.decode(round, (uint256, int256, uint256, uint256, uint256));
        (bool saysDecimals, bytes memory decimals) = _read(reader, abi.encodeCall(IRateReader.oracleDecimals, ()), 1);
        if (saysDecimals) price.answer = _toPriceDecimals(price.answer, abi.decode(decimals, (uint256)));
    }

    /// @dev Zero, an invalid price, for implausible decimals. Unchecked: no answer may revert the call.
    function _toPriceDecimals(int256 answer, uint256 decimals) private pure returns (int256) {
        if (decimals == PRICE_DECIMALS) return answer;
        if (decimals > MAX_ORACLE_DECIMALS) return 0;
        unchecked {
            if (decimals > PRICE_DECIMALS) return answer / int256(10 ** (decimals - PRICE_DECIMALS));
            return answer * int256(10 ** (PRICE_DECIMALS - decimals));
        }
    }

    function _readAddress(address target, bytes memory data) private view returns (address) {
        (bool ok, bytes memory result) = _read(target, data, 1);
        return ok ? _toAddress(result) : address(0);
    }

    function _readUint(address target, bytes memory data) private view returns (uint256) {
        (bool ok, bytes memory result) = _read(target, data, 1);
        return ok ? abi.decode(result, (uint256)) : 0;
    }

    /// @dev Not ok if the call fails or returns fewer than `words` words, as for a target without code.
    function _read(address target, bytes memory data, uint256 words)
        private
        view
        returns (bool ok, bytes memory result)
    {
        (ok, result) = target.staticcall{gas: READ_GAS}(data);
        ok = ok && result.length >= words * 32;
    }

    /// @dev Drops the upper bits, on which decoding an address would revert.
    function _toAddress(bytes memory word) private pure returns (address) {
        return address(uint160(abi.decode(word, (uint256))));
    }
}
