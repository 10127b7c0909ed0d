// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ForeignAssimilator} from "./ForeignAssimilator.sol";
import {ForeignPool} from "./ForeignPool.sol";
import {FamilyCurve, Side, World} from "./FamilyCurve.sol";

/// @title FamilyPool
/// @notice A third-party pool with the arithmetic of the DFX v2 / Stabull v1 family, in views and in swaps.
contract FamilyPool is ForeignPool {
    FamilyCurve private immutable _FAMILY;

    /// @dev What views add, as another implementation behind a proxy might.
    uint256 private _markup;

    constructor(Config memory config, FamilyCurve family) ForeignPool(config) {
        _FAMILY = family;
    }

    function setMarkup(uint256 markup) external onlyOwner {
        _markup = markup;
    }

    function curve() external view returns (int128, int128, int128, int128, int128, uint256) {
        return (
            int128(_curve.alpha),
            int128(_curve.beta),
            int128(_curve.delta),
            int128(_curve.epsilon),
            int128(_curve.lambda),
            totalSupply()
        );
    }

    function _quoteOrigin(address origin, address target, uint256 originAmount)
        internal
        view
        override
        returns (uint256)
    {
        (uint256 paid,) = _indicesOf(origin, target);
        return _FAMILY.viewOrigin(_world(), paid, originAmount) + _markup;
    }

    function _payOrigin(address origin, address target, uint256 originAmount)
        internal
        view
        override
        returns (uint256)
    {
        (uint256 paid,) = _indicesOf(origin, target);
        return _FAMILY.executeOrigin(_world(), paid, originAmount);
    }

    function _quoteTarget(address origin, address target, uint256 targetAmount)
        internal
        view
        override
        returns (uint256)
    {
        (uint256 paid,) = _indicesOf(origin, target);
        return _FAMILY.viewTarget(_world(), paid, targetAmount);
    }

    function _world() private view returns (World memory world) {
        world.alpha = int128(_curve.alpha);
        world.beta = int128(_curve.beta);
        world.delta = int128(_curve.delta);
        world.epsilon = int128(_curve.epsilon);
        world.lambda = int128(_curve.lambda);
        for (uint256 i = 0; i < 2; i++) {
            ForeignAssimilator assimilator = ForeignAssimilator(_assimilators[i]);
            world.sides[i] = Side({
                balance: ERC20(_assets[i]).balanceOf(address(this)),
                rate: assimilator.getRate(),
                oracleUnit: 10 ** assimilator.oracleDecimals(),
                tokenUnit: 10 ** assimilator.tokenDecimals()
            });
        }
    }
}
