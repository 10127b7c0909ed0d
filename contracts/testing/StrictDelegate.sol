// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {Delegate} from "./Delegate.sol";

/// @title StrictDelegate
/// @notice A delegate for EIP-7702 that accepts no plain signature of its wallet's key, as delegates do that demand a wrapped one.
contract StrictDelegate is Delegate {
    /// @inheritdoc IERC1271
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return 0xffffffff;
    }
}
