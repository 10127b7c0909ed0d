// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ChainProof, proveChain} from "./ChainProof.sol";
import {IAggregatorV3} from "./interfaces/IAggregatorV3.sol";
import {IFamilyAssimilator, IFamilyPool} from "./interfaces/IFamilyPool.sol";
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
    /// @param fault The revert data of the pool's own price, such as an error of IRateErrors; empty if it returned.
    struct PriceState {
        address oracle;
        int256 answer;
        uint256 updatedAt;
        uint256 maxAge;
        bytes fault;
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

    /// @param pool An address that may hold a pool of the family.
    /// @param paysBase Whether the probe pays the base token.
    /// @param share The input of the probe, in parts of the pool's balance of that token, scaled by 1e18; zero for a pool whose
    /// curve is not computed.
    struct Probe {
        address pool;
        bool paysBase;
        uint256 share;
    }

    /// @dev What the family's conversions between raw units and values use: immutables of the assimilator.
    struct RateState {
        uint256 rate;
        uint256 oracleDecimals;
        uint256 tokenDecimals;
    }

    /// @dev The parameters are the pool's own 64.64 numbers, which `viewCurve` truncates.
    /// @param isReadable Whether the parameters and both rates could be read; a value that could not is zero.
    /// @param paysBase Whether the probe pays the base token.
    /// @param amount Its input, raw.
    /// @param isPaid Whether the pool's view of the probe returned.
    /// @param data What it returned, or its revert data.
    struct CurveState {
        bool isReadable;
        int256 alpha;
        int256 beta;
        int256 delta;
        int256 epsilon;
        int256 lambda;
        RateState baseRate;
        RateState quoteRate;
        bool paysBase;
        uint256 amount;
        bool isPaid;
        bytes data;
    }

    struct ProbedState {
        PoolState state;
        CurveState curve;
    }

    /// @dev Arbitrum's own contract, whose code only its nodes have.
    address private constant ARB_SYS = address(100);

    uint256 private constant NO_MAX_AGE = type(uint256).max;
    uint256 private constant PRICE_DECIMALS = 8;

    /// @dev More than any feed has. A power of ten beyond it might not fit a word.
    uint256 private constant MAX_ORACLE_DECIMALS = 60;

    /// @dev An error with four arguments. Longer revert data is no error of a rate reader.
    uint256 private constant MAX_FAULT_SIZE = 4 + 4 * 32;

    /// @dev Ten times the gas of the most expensive read: a read that burns all of it leaves enough for the other reads.
    uint256 private constant READ_GAS = 300_000;

    /// @dev Four times the gas of a view that iterates as often as the family allows.
    uint256 private constant PROBE_GAS = 2_000_000;

    /// @dev The remaining gas of a call after a probe has used all of its gas.
    uint256 private constant SPARE_GAS = 500_000;

    /// @notice Makes many calls at one block.
    /// @dev Each call gets an equal share of the remaining gas, so no call can starve another.
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
    /// @dev On Arbitrum `block.number` is the number of the parent chain's block. Elsewhere `ARB_SYS` has no code, and
    /// returns nothing.
    function blockNumber() external view returns (uint256) {
        (bool ok, uint256 number) = _readWord(ARB_SYS, bytes4(keccak256("arbBlockNumber()")));
        return ok ? number : block.number;
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

    /// @notice The state that prices the swaps of many pools at one block, with what computes the curve of a pool, and the
    /// result of one view of each, which proves that computation.
    /// @param probes The pools and the inputs of their views.
    /// @return proof The proof of the chain.
    /// @return timestamp The block's time, unix seconds.
    /// @return states One per pool, in the order of `probes`.
    function probedStates(Probe[] calldata probes)
        external
        view
        returns (ChainProof memory proof, uint256 timestamp, ProbedState[] memory states)
    {
        states = new ProbedState[](probes.length);
        for (uint256 i = 0; i < probes.length; i++) {
            _readPool(probes[i].pool, states[i].state);
            bool isPool = states[i].state.base != address(0);
            if (isPool && probes[i].share > 0) _readCurve(probes[i], states[i].state, states[i].curve);
        }
        return (proveChain(), block.timestamp, states);
    }

    function _readCurve(Probe calldata probe, PoolState memory state, CurveState memory curve) private view {
        (bool hasCurve, bytes memory data) = _read(probe.pool, abi.encodeWithSelector(IFamilyPool.curve.selector), 6);
        if (hasCurve) {
            // Decoded as full words, since a value that fits no int128 would revert the whole call.
            (curve.alpha, curve.beta, curve.delta, curve.epsilon, curve.lambda,) =
                abi.decode(data, (int256, int256, int256, int256, int256, uint256));
        }
        bool hasBase = _readRate(probe.pool, state.base, curve.baseRate);
        bool hasQuote = _readRate(probe.pool, state.quote, curve.quoteRate);
        curve.isReadable = hasCurve && hasBase && hasQuote;
        (address origin, address target) =
            probe.paysBase ? (state.base, state.quote) : (state.quote, state.base);
        curve.paysBase = probe.paysBase;
        curve.amount = _shareOf(probe.paysBase ? state.baseReserve : state.quoteReserve, probe.share);
        // A probe without enough gas would look like a pool that refuses: the call lacks gas as a whole then.
        while (gasleft() < PROBE_GAS + SPARE_GAS) {}
        (curve.isPaid, curve.data) =
            probe.pool.staticcall{gas: PROBE_GAS}(abi.encodeCall(IPool.viewOriginSwap, (origin, target, curve.amount)));
    }

    function _readRate(address pool, address token, RateState memory rate) private view returns (bool) {
        address reader = _readAddress(pool, abi.encodeCall(IPool.assimilator, (token)));
        bool[3] memory isRead;
        (isRead[0], rate.rate) = _readWord(reader, IFamilyAssimilator.getRate.selector);
        (isRead[1], rate.oracleDecimals) = _readWord(reader, IFamilyAssimilator.oracleDecimals.selector);
        (isRead[2], rate.tokenDecimals) = _readWord(reader, IFamilyAssimilator.tokenDecimals.selector);
        return isRead[0] && isRead[1] && isRead[2];
    }

    /// @dev Unchecked: no balance may revert the call. One that overflows is above every limit, as is its share.
    function _shareOf(uint256 balance, uint256 share) private pure returns (uint256) {
        unchecked {
            return balance * share / 1e18 + 1;
        }
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
        (, state.totalSupply) = _readWord(pool, IERC20.totalSupply.selector);
        (, uint256 isFrozen) = _readWord(pool, IPool.frozen.selector);
        (, uint256 isEmergency) = _readWord(pool, IPool.emergency.selector);
        state.frozen = isFrozen != 0 || isEmergency != 0;
        (bool ok, bytes memory curve) = _read(pool, abi.encodeWithSelector(IPool.viewCurve.selector), 5);
        if (ok) {
            (state.alpha, state.beta, state.delta, state.epsilon, state.lambda) =
                abi.decode(curve, (uint256, uint256, uint256, uint256, uint256));
        }
        _readPrice(pool, state.base, state.basePrice);
        _readPrice(pool, state.quote, state.quotePrice);
    }

    function _readPrice(address pool, address token, PriceState memory price) private view {
        address reader = _readAddress(pool, abi.encodeCall(IPool.assimilator, (token)));
        (bool hasOracle, uint256 oracle) = _readWord(reader, IRateReader.oracle.selector);
        if (!hasOracle) return;
        // Drops the upper bits, on which decoding an address would revert.
        price.oracle = address(uint160(oracle));
        (bool hasRate, bytes memory rate) = _read(reader, abi.encodeWithSelector(IRateReader.getRate.selector), 1);
        if (!hasRate && rate.length <= MAX_FAULT_SIZE) price.fault = rate;
        (bool saysMaxAge, uint256 maxAge) = _readWord(reader, IRateReader.maxAge.selector);
        price.maxAge = saysMaxAge ? maxAge : NO_MAX_AGE;
        if (price.oracle == address(0)) {
            price.answer = int256(PRICE_ONE);
            price.updatedAt = block.timestamp;
            return;
        }
        (bool answered, bytes memory round) = _read(price.oracle, abi.encodeWithSelector(IAggregatorV3.latestRoundData.selector), 5);
        if (!answered) return;
        // Decoded as full words: with a narrower type, a malformed answer of one feed would revert the whole call.
        (, price.answer,, price.updatedAt,) = abi.decode(round, (uint256, int256, uint256, uint256, uint256));
        (bool saysDecimals, uint256 decimals) = _readWord(reader, IRateReader.oracleDecimals.selector);
        if (saysDecimals) price.answer = _toPriceDecimals(price.answer, decimals);
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

    /// @dev Drops the upper bits, on which decoding an address would revert.
    function _readAddress(address target, bytes memory data) private view returns (address) {
        return address(uint160(_readUint(target, data)));
    }

    function _readUint(address target, bytes memory data) private view returns (uint256) {
        (bool ok, bytes memory result) = _read(target, data, 1);
        return ok ? abi.decode(result, (uint256)) : 0;
    }

    /// @dev Zero if it cannot be read.
    function _readWord(address target, bytes4 selector) private view returns (bool ok, uint256 word) {
        bytes memory result;
        (ok, result) = _read(target, abi.encodeWithSelector(selector), 1);
        if (ok) word = abi.decode(result, (uint256));
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
}
