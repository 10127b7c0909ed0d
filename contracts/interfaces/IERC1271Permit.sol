// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IERC1271Permit
/// @notice The `permit` of tokens that accept the signatures of contracts, such as USDC.
interface IERC1271Permit {
    /// @notice Sets an allowance by the signature of its owner.
    /// @param owner The account that signed: by its key, or by ERC-1271 if it has code.
    /// @param spender The account that may transfer the tokens.
    /// @param value The allowance to set, raw.
    /// @param deadline Unix seconds. The block timestamp must not be after it.
    /// @param signature The signature, of any length.
    function permit(address owner, address spender, uint256 value, uint256 deadline, bytes calldata signature) external;
}
