// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {CallBatch} from "./CallBatch.sol";

/// @title HostileSigner
/// @notice A smart account whose ERC-1271 harms the node that calls it: by using all gas, or by returning or reverting with far
/// more than a word.
contract HostileSigner is IERC1271, CallBatch {
    enum Harm {
        UseAllGas,
        ReturnMuch,
        RevertWithMuch,
        ReturnLittle
    }

    uint256 private constant _MUCH = 500_000;

    Harm private immutable _HARM;

    constructor(Harm harm) {
        _HARM = harm;
    }

    /// @notice Makes calls of the account, all or none.
    function execute(Call[] calldata calls) external {
        _execute(calls);
    }

    /// @inheritdoc IERC1271
    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        (Harm harm, uint256 much) = (_HARM, _MUCH);
        if (harm == Harm.UseAllGas) {
            assembly ("memory-safe") {
                for {} gas() {} { pop(keccak256(0, 1024)) }
            }
        }
        assembly ("memory-safe") {
            let free := mload(0x40)
            if eq(harm, 1) { return(free, much) }
            if eq(harm, 2) { revert(free, much) }
            return(free, 3)
        }
    }
}
