// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IFactory} from "../interfaces/IFactory.sol";
import {IPool} from "../interfaces/IPool.sol";

/// @title FamilyRouter
/// @notice A third-party router, to test that the service works with one that is not ours: the ABI of the DFX v2 / Stabull
/// v1 router, which swaps exact inputs, pays the caller only, and knows no ERC-165.
contract FamilyRouter {
    using SafeERC20 for IERC20;

    address public immutable factory;

    constructor(address factory_) {
        factory = factory_;
    }

    function originSwap(
        address quote,
        address origin,
        address target,
        uint256 originAmount,
        uint256 minTargetAmount,
        uint256 deadline
    ) external returns (uint256 targetAmount) {
        IERC20(origin).safeTransferFrom(msg.sender, address(this), originAmount);
        IPool direct = _findPool(origin, target);
        if (address(direct) != address(0)) {
            targetAmount = _swap(direct, origin, target, originAmount, deadline);
        } else {
            uint256 quoteAmount = _swap(_getPool(origin, quote), origin, quote, originAmount, deadline);
            targetAmount = _swap(_getPool(quote, target), quote, target, quoteAmount, deadline);
        }
        require(targetAmount >= minTargetAmount, "Router/originswap-failure");
        IERC20(target).safeTransfer(msg.sender, targetAmount);
    }

    function viewOriginSwap(address quote, address origin, address target, uint256 originAmount)
        external
        view
        returns (uint256)
    {
        IPool direct = _findPool(origin, target);
        if (address(direct) != address(0)) return direct.viewOriginSwap(origin, target, originAmount);
        uint256 quoteAmount = _getPool(origin, quote).viewOriginSwap(origin, quote, originAmount);
        return _getPool(quote, target).viewOriginSwap(quote, target, quoteAmount);
    }

    function _swap(IPool pool, address origin, address target, uint256 amount, uint256 deadline)
        private
        returns (uint256)
    {
        IERC20(origin).forceApprove(address(pool), amount);
        return pool.originSwap(origin, target, amount, 0, deadline);
    }

    function _getPool(address origin, address target) private view returns (IPool pool) {
        pool = _findPool(origin, target);
        require(address(pool) != address(0), "Router/No-path");
    }

    function _findPool(address origin, address target) private view returns (IPool) {
        address pool = IFactory(factory).getCurve(origin, target);
        return IPool(pool != address(0) ? pool : IFactory(factory).getCurve(target, origin));
    }
}
