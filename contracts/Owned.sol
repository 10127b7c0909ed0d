// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";

/// @title Owned
/// @notice A contract that always has an owner. Ownership changes in two steps: the owner proposes an account with
/// `transferOwnership`, and that account calls `acceptOwnership`. Until then the owner may propose another account, or zero
/// to withdraw the proposal.
abstract contract Owned is Ownable2Step {
    /// @notice Thrown by `renounceOwnership`, for every caller.
    error OwnershipNotRenounceable();

    constructor(address owner_) Ownable(owner_) {}

    /// @notice Always reverts.
    function renounceOwnership() public pure override {
        revert OwnershipNotRenounceable();
    }
}
