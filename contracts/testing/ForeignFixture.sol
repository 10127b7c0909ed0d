// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Fixture} from "./Fixture.sol";
import {ForeignAssimilator} from "./ForeignAssimilator.sol";
import {ForeignQuotes} from "./ForeignQuotes.sol";

/// @dev Foreign pools between the two tokens of the fixture, with the parameters that the family deploys with.
abstract contract ForeignFixture is Fixture {
    function _configOf(address baseOracle, address quoteOracle) internal returns (ForeignQuotes.Config memory) {
        return ForeignQuotes.Config({
            name: "Foreign LP",
            assets: [address(aud), address(usd)],
            assimilators: [
                address(new ForeignAssimilator(baseOracle, address(aud))),
                address(new ForeignAssimilator(quoteOracle, address(usd)))
            ],
            alpha: 0.5e18,
            beta: 0.35e18,
            feeAtHalt: 0.15e18,
            epsilon: 0.0015e18,
            lambda: 0.3e18,
            drift: 0
        });
    }
}
