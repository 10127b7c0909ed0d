// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPool} from "./interfaces/IPool.sol";

/// @title RouteReader
/// @notice Reads what pools in sequence pay, by their own views. Works for any pool of the family.
/// @dev Runs at any address through a state override of eth_call, beside the Reader that calls it: no constructor, no
/// storage.
contract RouteReader {
    /// @param pool A pool of the family.
    /// @param origin The token that it takes.
    /// @param target The token that it pays.
    struct Hop {
        address pool;
        address origin;
        address target;
    }

    struct Result {
        bool success;
        bytes data;
    }

    /// @dev The largest amount is found to about twelve digits.
    uint256 private constant RESOLUTION_BITS = 40;

    /// @dev Thrown when too little gas is left to tell a refusal from a view that had too little.
    error GasTooLow();

    /// @notice What pools pay for an amount: each pool takes what the previous pool pays.
    /// @param hops The pools, in sequence.
    /// @param amount The amount of the first token, raw.
    /// @return results One per pool: the result of its view. Those after a failure or an output of zero are empty.
    function viewRoute(Hop[] calldata hops, uint256 amount) public view returns (Result[] memory results) {
        results = new Result[](hops.length);
        for (uint256 i = 0; i < hops.length && amount != 0; i++) {
            bytes memory data = abi.encodeCall(IPool.viewOriginSwap, (hops[i].origin, hops[i].target, amount));
            (results[i].success, results[i].data) = hops[i].pool.staticcall(data);
            amount = _paidBy(results[i]);
        }
    }

    /// @notice The largest amount that pools pay for: they pay nothing for one more, or for the next that differs in the
    /// twelfth digit.
    /// @dev Found by halving the distance between an amount that they pay for and one that they do not. It is the only such
    /// amount if a limit is their sole reason to refuse a larger one.
    /// @param hops The pools, in sequence.
    /// @param hint An amount to begin with, raw: about as large as the limit.
    /// @return amount The amount of the first token, raw; zero if they pay for no amount that was tried.
    /// @return paid What they pay for it, in the last token, raw.
    function largestInput(Hop[] calldata hops, uint256 hint) external view returns (uint256 amount, uint256 paid) {
        uint256 refused;
        for (amount = hint; amount != 0; amount /= 2) {
            paid = _viewOutput(hops, amount);
            if (paid != 0) break;
            refused = amount;
        }
        if (amount == 0) return (0, 0);
        while (refused == 0 || refused - amount > 1 + (amount >> RESOLUTION_BITS)) {
            uint256 next = refused == 0 ? 2 * amount : amount + (refused - amount) / 2;
            uint256 output = _viewOutput(hops, next);
            if (output == 0) refused = next;
            else (amount, paid) = (next, output);
        }
    }

    /// @dev A view that runs out of gas leaves a few of 64 parts.
    function _viewOutput(Hop[] calldata hops, uint256 amount) private view returns (uint256 output) {
        uint256 before = gasleft();
        output = _paidBy(viewRoute(hops, amount)[hops.length - 1]);
        if (output == 0 && gasleft() < before / 8) revert GasTooLow();
    }

    function _paidBy(Result memory result) private pure returns (uint256) {
        return result.success && result.data.length >= 32 ? abi.decode(result.data, (uint256)) : 0;
    }
}
