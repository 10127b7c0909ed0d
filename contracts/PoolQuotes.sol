// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IPool} from "./interfaces/IPool.sol";
import {IRateReader} from "./interfaces/IRateReader.sol";
import {Owned} from "./Owned.sol";
import {Asset, PoolMath, WAD} from "./PoolMath.sol";

/// @title PoolQuotes
/// @notice The views of a pool: its parameters, its limits, and the quotes of its swaps, deposits and withdrawals.
/// @dev Every amount that Pool transfers comes from a quote here, so a view and its transaction cannot differ.
abstract contract PoolQuotes is IPool, ERC20, Owned, ReentrancyGuardTransient {
    /// @param name Name of the LP token.
    /// @param symbol Symbol of the LP token.
    /// @param base The foreign token.
    /// @param quote The token in which later deposits are valued, usually the reference token.
    /// @param baseReader The rate reader of the base token.
    /// @param quoteReader The rate reader of the quote token.
    /// @param alpha The halt, scaled by 1e18, above 0 and below 1e18.
    /// @param epsilon The fee, scaled by 1e18, at most 1e16.
    /// @param owner The account that may freeze and unfreeze the pool, and that sets its guardian.
    struct Config {
        string name;
        string symbol;
        address base;
        address quote;
        address baseReader;
        address quoteReader;
        uint256 alpha;
        uint256 epsilon;
        address owner;
    }

    /// @dev LP tokens of the first deposit that stay locked forever, which prevents inflation of a share.
    uint256 internal constant _LOCKED_LP = 1e6;
    uint256 private constant _MAX_EPSILON = 1e16;

    address internal immutable _BASE;
    address internal immutable _QUOTE;
    address private immutable _BASE_READER;
    address private immutable _QUOTE_READER;
    uint256 private immutable _BASE_UNIT;
    uint256 private immutable _QUOTE_UNIT;
    uint256 private immutable _ALPHA;
    uint256 internal immutable _EPSILON;

    /// @inheritdoc IPool
    /// @dev Shares its storage slot with the pending owner.
    bool public frozen;

    modifier notFrozen() {
        if (frozen) revert Frozen();
        _;
    }

    constructor(Config memory config) ERC20(config.name, config.symbol) Owned(config.owner) {
        if (config.base == config.quote) revert SameToken(config.base);
        if (config.alpha == 0 || config.alpha >= WAD) revert InvalidAlpha(config.alpha);
        if (config.epsilon > _MAX_EPSILON) revert InvalidEpsilon(config.epsilon);
        _BASE = config.base;
        _QUOTE = config.quote;
        _BASE_READER = config.baseReader;
        _QUOTE_READER = config.quoteReader;
        _BASE_UNIT = _unitOf(config.base, config.baseReader);
        _QUOTE_UNIT = _unitOf(config.quote, config.quoteReader);
        _ALPHA = config.alpha;
        _EPSILON = config.epsilon;
    }

    /// @inheritdoc IPool
    function viewOriginSwap(address origin, address target, uint256 originAmount)
        external
        view
        nonReentrantView
        returns (uint256)
    {
        return _quoteOriginSwap(origin, target, originAmount);
    }

    /// @inheritdoc IPool
    function viewTargetSwap(address origin, address target, uint256 targetAmount)
        external
        view
        nonReentrantView
        returns (uint256)
    {
        return _quoteTargetSwap(origin, target, targetAmount);
    }

    /// @inheritdoc IPool
    function maxOrigin(address origin, address target) external view nonReentrantView notFrozen returns (uint256) {
        _checkPair(origin, target);
        return PoolMath.maxOrigin(_asset(origin), _asset(target), _ALPHA);
    }

    /// @inheritdoc IPool
    function viewDeposit(uint256 value) external view nonReentrantView returns (uint256, uint256[] memory) {
        return _quoteDeposit(value);
    }

    /// @inheritdoc IPool
    function viewWithdraw(uint256 lpAmount) external view nonReentrantView returns (uint256[] memory) {
        return _quoteWithdraw(lpAmount);
    }

    /// @inheritdoc IPool
    function liquidity() external view nonReentrantView returns (uint256 total, uint256[] memory individual) {
        individual = new uint256[](2);
        individual[0] = PoolMath.valueOf(_asset(_BASE));
        individual[1] = PoolMath.valueOf(_asset(_QUOTE));
        total = individual[0] + individual[1];
    }

    /// @inheritdoc IPool
    function viewCurve()
        external
        view
        returns (uint256 alpha, uint256 beta, uint256 delta, uint256 epsilon, uint256 lambda)
    {
        return (_ALPHA, 0, 0, _EPSILON, 0);
    }

    /// @inheritdoc IPool
    function assimilator(address token) external view returns (address) {
        if (token == _BASE) return _BASE_READER;
        return token == _QUOTE ? _QUOTE_READER : address(0);
    }

    /// @inheritdoc IPool
    function numeraires(uint256 index) external view returns (address) {
        return _tokenAt(index);
    }

    /// @inheritdoc IPool
    function reserves(uint256 index) external view returns (address) {
        return _tokenAt(index);
    }

    /// @inheritdoc IPool
    function derivatives(uint256 index) external view returns (address) {
        return _tokenAt(index);
    }

    /// @inheritdoc IPool
    function emergency() external pure returns (bool) {
        return false;
    }

    /// @inheritdoc IPool
    function owner() public view override(IPool, Ownable) returns (address) {
        return super.owner();
    }

    function _quoteOriginSwap(address origin, address target, uint256 originAmount)
        internal
        view
        notFrozen
        returns (uint256 targetAmount)
    {
        _checkPair(origin, target);
        if (originAmount == 0) revert ZeroAmount();
        Asset memory paid = _asset(origin);
        Asset memory received = _asset(target);
        _checkMaxOrigin(originAmount, paid, received);
        targetAmount = _exactIn(originAmount, paid, received);
        if (targetAmount == 0) revert ZeroAmount();
    }

    function _quoteTargetSwap(address origin, address target, uint256 targetAmount)
        internal
        view
        notFrozen
        returns (uint256 originAmount)
    {
        _checkPair(origin, target);
        if (targetAmount == 0) revert ZeroAmount();
        Asset memory paid = _asset(origin);
        Asset memory received = _asset(target);
        originAmount = _exactOut(targetAmount, paid, received);
        _checkMaxOrigin(originAmount, paid, received);
    }

    function _quoteDeposit(uint256 value)
        internal
        view
        notFrozen
        returns (uint256 lpAmount, uint256[] memory amounts)
    {
        amounts = new uint256[](2);
        uint256 supply = totalSupply();
        if (supply == 0) {
            if (value <= _LOCKED_LP) revert ZeroAmount();
            amounts[0] = PoolMath.firstDeposit(value, IRateReader(_BASE_READER).getRate(), _BASE_UNIT);
            amounts[1] = PoolMath.firstDeposit(value, IRateReader(_QUOTE_READER).getRate(), _QUOTE_UNIT);
            return (value - _LOCKED_LP, amounts);
        }
        uint256 quoteReserve = _balanceOf(_QUOTE);
        uint256 total = PoolMath.poolValue(quoteReserve, _QUOTE_UNIT);
        amounts[0] = PoolMath.depositShare(value, _balanceOf(_BASE), total);
        amounts[1] = PoolMath.depositShare(value, quoteReserve, total);
        lpAmount = PoolMath.lpFor(value, supply, total);
        if (lpAmount == 0) revert ZeroAmount();
    }

    function _quoteWithdraw(uint256 lpAmount) internal view returns (uint256[] memory amounts) {
        if (lpAmount == 0) revert ZeroAmount();
        uint256 supply = totalSupply();
        if (lpAmount > supply) revert AboveSupply(lpAmount, supply);
        amounts = new uint256[](2);
        amounts[0] = PoolMath.withdrawShare(lpAmount, _balanceOf(_BASE), supply);
        amounts[1] = PoolMath.withdrawShare(lpAmount, _balanceOf(_QUOTE), supply);
    }

    /// @dev The price of an exact input. Virtual, so that a test pool can deviate from its oracle.
    function _exactIn(uint256 originAmount, Asset memory origin, Asset memory target)
        internal
        view
        virtual
        returns (uint256)
    {
        return PoolMath.quoteExactIn(originAmount, origin, target, _EPSILON);
    }

    /// @dev The price of an exact output. Virtual for the same reason.
    function _exactOut(uint256 targetAmount, Asset memory origin, Asset memory target)
        internal
        view
        virtual
        returns (uint256)
    {
        return PoolMath.quoteExactOut(targetAmount, origin, target, _EPSILON);
    }

    function _balanceOf(address token) internal view returns (uint256) {
        return IERC20(token).balanceOf(address(this));
    }

    /// @dev Throws when the price of the token is stale or invalid.
    function _asset(address token) private view returns (Asset memory) {
        bool isBase = token == _BASE;
        return Asset({
            price: IRateReader(isBase ? _BASE_READER : _QUOTE_READER).getRate(),
            reserve: _balanceOf(token),
            unit: isBase ? _BASE_UNIT : _QUOTE_UNIT
        });
    }

    function _checkPair(address origin, address target) private view {
        if (origin != _BASE && origin != _QUOTE) revert UnsupportedToken(origin);
        if (target != _BASE && target != _QUOTE) revert UnsupportedToken(target);
        if (origin == target) revert SameToken(origin);
    }

    function _checkMaxOrigin(uint256 originAmount, Asset memory origin, Asset memory target) private view {
        uint256 limit = PoolMath.maxOrigin(origin, target, _ALPHA);
        if (originAmount > limit) revert AboveMaxOrigin(originAmount, limit);
    }

    function _tokenAt(uint256 index) private view returns (address) {
        if (index > 1) revert UnknownIndex(index);
        return index == 0 ? _BASE : _QUOTE;
    }

    function _unitOf(address token, address reader) private view returns (uint256) {
        if (IRateReader(reader).token() != token) revert ReaderMismatch(reader, token);
        return 10 ** IRateReader(reader).tokenDecimals();
    }
}
