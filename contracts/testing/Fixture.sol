// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Pool} from "../Pool.sol";
import {PoolQuotes} from "../PoolQuotes.sol";
import {RateReader} from "../RateReader.sol";
import {Test} from "./Test.sol";
import {TestOracle} from "./TestOracle.sol";
import {TestToken} from "./TestToken.sol";

/// @title Fixture
/// @notice Australian and US dollars of 6 decimals, their pool with a million of each, and functions that create other
/// pools. The test contract owns everything and provides the liquidity.
abstract contract Fixture is Test {
    uint256 internal constant ALPHA = 5e17;
    uint256 internal constant EPSILON = 5e14;
    uint256 internal constant MAX_AGE = 3600;
    uint256 internal constant NOW = 1_800_000_000;
    uint256 internal constant LATER = NOW + 1;
    int256 internal constant AUD_PRICE = 0.6512e8;

    address internal immutable trader = address(0xA11CE);

    TestToken internal usd;
    TestToken internal aud;
    TestOracle internal audOracle;
    RateReader internal usdReader;
    RateReader internal audReader;
    Pool internal pool;

    function setUp() public virtual {
        vm.warp(NOW);
        usd = new TestToken("US Dollar", "USD", 6, address(this));
        usdReader = _createReader(address(usd), address(0));
        (aud, audOracle, audReader) = _createToken("AUD", 6, AUD_PRICE);
        pool = _createPool(aud, audReader, usd, usdReader);
        _fund(pool, 1_000_000e6, 1_000_000e6);
    }

    function _createToken(string memory symbol, uint8 decimals, int256 price)
        internal
        returns (TestToken token, TestOracle oracle, RateReader reader)
    {
        token = new TestToken(symbol, symbol, decimals, address(this));
        oracle = new TestOracle(symbol, price, address(this));
        reader = _createReader(address(token), address(oracle));
    }

    /// @dev A reader without optional feeds, and with bounds that any positive answer meets.
    function _createReader(address token, address oracle) internal returns (RateReader) {
        return new RateReader(_readerConfigOf(token, oracle));
    }

    function _readerConfigOf(address token, address oracle) internal pure returns (RateReader.Config memory config) {
        config.token = token;
        config.oracle = oracle;
        config.maxAge = MAX_AGE;
        config.minAnswer = 1;
        config.maxAnswer = type(int256).max;
    }

    function _createPool(TestToken base, RateReader baseReader, TestToken quote, RateReader quoteReader)
        internal
        returns (Pool)
    {
        return new Pool(_configOf(base, baseReader, quote, quoteReader));
    }

    function _configOf(TestToken base, RateReader baseReader, TestToken quote, RateReader quoteReader)
        internal
        view
        returns (PoolQuotes.Config memory)
    {
        return PoolQuotes.Config({
            name: "Agio LP",
            symbol: "AGIO-LP",
            base: address(base),
            quote: address(quote),
            baseReader: address(baseReader),
            quoteReader: address(quoteReader),
            alpha: ALPHA,
            epsilon: EPSILON,
            owner: address(this)
        });
    }

    /// @dev Makes the first deposit, worth a dollar, then transfers the rest of the reserves.
    function _fund(Pool target, uint256 baseReserve, uint256 quoteReserve) internal {
        TestToken base = TestToken(target.numeraires(0));
        TestToken quote = TestToken(target.numeraires(1));
        base.mint(address(this), baseReserve);
        quote.mint(address(this), quoteReserve);
        base.approve(address(target), baseReserve);
        quote.approve(address(target), quoteReserve);
        target.deposit(1e18, 0, 0, quoteReserve, baseReserve, block.timestamp + 1);
        base.transfer(address(target), base.balanceOf(address(this)));
        quote.transfer(address(target), quote.balanceOf(address(this)));
    }

    /// @dev Mints tokens to the trader and approves them to the spender.
    function _give(TestToken token, uint256 amount, address spender) internal {
        token.mint(trader, amount);
        vm.prank(trader);
        token.approve(spender, amount);
    }

    /// @dev The value of the pool at the given prices, scaled so that it is exact.
    function _valueOf(Pool target, uint256 basePrice, uint256 quotePrice) internal view returns (uint256) {
        TestToken base = TestToken(target.numeraires(0));
        TestToken quote = TestToken(target.numeraires(1));
        return base.balanceOf(address(target)) * basePrice * 10 ** (18 - base.decimals())
            + quote.balanceOf(address(target)) * quotePrice * 10 ** (18 - quote.decimals());
    }
}
