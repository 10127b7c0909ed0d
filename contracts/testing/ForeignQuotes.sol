// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ForeignAssimilator} from "./ForeignAssimilator.sol";
import {Curve, ForeignCurve} from "./ForeignCurve.sol";

/// @title ForeignQuotes
/// @notice The views of a foreign pool. ForeignPool documents its purpose.
abstract contract ForeignQuotes is ERC20 {
    /// @param name Name of the LP token.
    /// @param assets The base token and the quote token.
    /// @param assimilators Their assimilators.
    /// @param alpha The halt, scaled by 1e18 like the parameters below.
    /// @param beta The flat zone.
    /// @param feeAtHalt The penalty at the halt.
    /// @param epsilon The fee.
    /// @param lambda The part of the penalty paid back.
    /// @param drift How many raw units less than its view a swap pays.
    struct Config {
        string name;
        address[2] assets;
        address[2] assimilators;
        uint256 alpha;
        uint256 beta;
        uint256 feeAtHalt;
        uint256 epsilon;
        uint256 lambda;
        uint256 drift;
    }

    uint256 internal constant _LOCKED_LP = 1e6;

    address public immutable owner;
    bool public frozen;
    bool public emergency;

    Curve internal _curve;
    address[2] internal _assets;
    address[2] internal _assimilators;

    /// @dev The factory's flag for all of its pools. As in the family, no view returns it.
    bool internal _isGloballyFrozen;

    modifier transactable() {
        require(!_isGloballyFrozen, "Curve/frozen-globally-only-allowing-proportional-withdraw");
        require(!frozen, "Curve/frozen-only-allowing-proportional-withdraw");
        _;
    }

    constructor(Config memory config) ERC20(config.name, config.name) {
        owner = msg.sender;
        _assets = config.assets;
        _assimilators = config.assimilators;
        _curve = ForeignCurve.create(config.alpha, config.beta, config.feeAtHalt, config.epsilon, config.lambda);
    }

    function viewOriginSwap(address origin, address target, uint256 originAmount)
        external
        view
        transactable
        returns (uint256)
    {
        return _quoteOrigin(origin, target, originAmount);
    }

    function viewTargetSwap(address origin, address target, uint256 targetAmount)
        external
        view
        transactable
        returns (uint256)
    {
        return _quoteTarget(origin, target, targetAmount);
    }

    function viewDeposit(uint256 value) external view transactable returns (uint256, uint256[] memory) {
        return _quoteDeposit(value);
    }

    function viewWithdraw(uint256 lpAmount) external view transactable returns (uint256[] memory) {
        return _quoteWithdraw(lpAmount);
    }

    function viewCurve() external view returns (uint256, uint256, uint256, uint256, uint256) {
        return (
            ForeignCurve.mulu(_curve.alpha, 1e18),
            ForeignCurve.mulu(_curve.beta, 1e18),
            ForeignCurve.mulu(_curve.delta, 1e18),
            ForeignCurve.mulu(_curve.epsilon, 1e18),
            ForeignCurve.mulu(_curve.lambda, 1e18)
        );
    }

    function liquidity() external view returns (uint256 total, uint256[] memory individual) {
        individual = new uint256[](2);
        int256[2] memory balances = _balances();
        for (uint256 i = 0; i < 2; i++) {
            individual[i] = ForeignCurve.mulu(balances[i], 1e18);
            total += individual[i];
        }
    }

    function assimilator(address token) external view returns (address) {
        if (token == _assets[0]) return _assimilators[0];
        return token == _assets[1] ? _assimilators[1] : address(0);
    }

    function numeraires(uint256 index) external view returns (address) {
        return _assets[index];
    }

    function reserves(uint256 index) external view returns (address) {
        return _assets[index];
    }

    function derivatives(uint256 index) external view returns (address) {
        return _assets[index];
    }

    function _quoteOrigin(address origin, address target, uint256 originAmount)
        internal
        view
        virtual
        returns (uint256)
    {
        (uint256 from, uint256 to) = _indicesOf(origin, target);
        int256 paid = ForeignAssimilator(_assimilators[from]).viewNumeraireAmount(originAmount);
        int256 change = ForeignCurve.trade(_curve, _balances(), from, paid);
        int256 received = -ForeignCurve.mul(change, (1 << 64) - _curve.epsilon);
        return ForeignAssimilator(_assimilators[to]).viewRawAmount(int128(received));
    }

    function _quoteTarget(address origin, address target, uint256 targetAmount)
        internal
        view
        virtual
        returns (uint256)
    {
        (uint256 from, uint256 to) = _indicesOf(origin, target);
        int256 received = ForeignAssimilator(_assimilators[to]).viewNumeraireAmount(targetAmount);
        int256 change = ForeignCurve.trade(_curve, _balances(), to, -received);
        int256 paid = ForeignCurve.mul(change, (1 << 64) + _curve.epsilon);
        return ForeignAssimilator(_assimilators[from]).viewRawAmount(int128(paid));
    }

    /// @dev Later deposits value the pool as twice its quote side, and take both tokens in proportion to the reserves.
    function _quoteDeposit(uint256 value) internal view returns (uint256 lpAmount, uint256[] memory amounts) {
        amounts = new uint256[](2);
        if (totalSupply() == 0) {
            int128 half = int128(ForeignCurve.divu(value, 2e18));
            for (uint256 i = 0; i < 2; i++) {
                amounts[i] = ForeignAssimilator(_assimilators[i]).viewRawAmount(half);
            }
            return (value - _LOCKED_LP, amounts);
        }
        uint256 unit = 10 ** ForeignAssimilator(_assimilators[1]).tokenDecimals();
        uint256 total = 2 * IERC20(_assets[1]).balanceOf(address(this)) * 1e18 / unit;
        for (uint256 i = 0; i < 2; i++) {
            amounts[i] = IERC20(_assets[i]).balanceOf(address(this)) * value / total;
        }
        lpAmount = value * totalSupply() / total;
        require(lpAmount > 0, "Proportional Liquidity/amount too small!");
    }

    function _quoteWithdraw(uint256 lpAmount) internal view returns (uint256[] memory amounts) {
        amounts = new uint256[](2);
        for (uint256 i = 0; i < 2; i++) {
            amounts[i] = IERC20(_assets[i]).balanceOf(address(this)) * lpAmount / totalSupply();
        }
    }

    function _balances() private view returns (int256[2] memory balances) {
        for (uint256 i = 0; i < 2; i++) {
            balances[i] = ForeignAssimilator(_assimilators[i]).viewNumeraireBalance(address(this));
        }
    }

    function _indicesOf(address origin, address target) internal view returns (uint256 from, uint256 to) {
        require(origin == _assets[0] || origin == _assets[1], "Curve/origin-not-supported");
        require(target == _assets[0] || target == _assets[1], "Curve/target-not-supported");
        return (origin == _assets[0] ? 0 : 1, target == _assets[0] ? 0 : 1);
    }
}
