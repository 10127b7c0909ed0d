// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {CallBatch} from "./CallBatch.sol";

/// @title OwnedAccount
/// @notice A small smart account: its owner makes batches of calls, and signs for it by ERC-1271.
contract OwnedAccount is IERC1271, Ownable, CallBatch {
    constructor(address owner) Ownable(owner) {}

    receive() external payable {}

    /// @notice Makes calls of the account, all or none. Only the owner may call it.
    function execute(Call[] calldata calls) external onlyOwner {
        _execute(calls);
    }

    /// @inheritdoc IERC1271
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (address signer, ECDSA.RecoverError err,) = ECDSA.tryRecoverCalldata(hash, signature);
        bool isValid = err == ECDSA.RecoverError.NoError && signer == owner();
        return isValid ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}
