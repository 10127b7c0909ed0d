// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Factory} from "../Factory.sol";
import {Pool} from "../Pool.sol";
import {RateReader} from "../RateReader.sol";
import {Router} from "../Router.sol";
import {Fixture} from "./Fixture.sol";
import {TestToken} from "./TestToken.sol";

/// @title RouterFixture
/// @notice A second pool, of euros and US dollars, and a router over both.
abstract contract RouterFixture is Fixture {
    Factory internal factory;
    Router internal router;
    TestToken internal eur;
    Pool internal eurPool;

    function setUp() public virtual override {
        super.setUp();
        RateReader eurReader;
        (eur,, eurReader) = _createToken("EUR", 6, 1.0845e8);
        eurPool = _createPool(eur, eurReader, usd, usdReader);
        _fund(eurPool, 1_000_000e6, 1_000_000e6);
        factory = new Factory(address(this));
        factory.addPool(address(pool));
        factory.addPool(address(eurPool));
        router = new Router(address(factory));
    }

    function _assertHoldsNothing() internal view {
        TestToken[3] memory tokens = [usd, aud, eur];
        for (uint256 i = 0; i < tokens.length; i++) {
            vm.assertEq(tokens[i].balanceOf(address(router)), 0);
            vm.assertEq(tokens[i].allowance(address(router), address(pool)), 0);
            vm.assertEq(tokens[i].allowance(address(router), address(eurPool)), 0);
        }
    }
}
