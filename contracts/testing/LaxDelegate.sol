// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {Delegate} from "./Delegate.sol";

/// @title LaxDelegate
/// @notice A delegate for EIP-7702 that accepts the plain signature of its wallet's key.
contract LaxDelegate is Delegate {
    /// @inheritdoc IERC1271
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (address signer, ECDSA.RecoverError err,) = ECDSA.tryRecoverCalldata(hash, signature);
        bool isValid = err == ECDSA.RecoverError.NoError && signer == address(this);
        return isValid ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}
