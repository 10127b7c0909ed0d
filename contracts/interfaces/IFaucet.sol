// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IFaucet
/// @notice Pays a fixed amount of each test token to any account that sends the transaction itself, once per cooldown.
/// @dev A contract cannot claim, so a transaction pays at most one claim. An account with an EIP-7702 delegation can claim in
/// its own transaction; a smart account whose transactions others send (ERC-4337) cannot. For test tokens only: an owner
/// of many funded accounts can claim for each of them.
///
/// The owner can withdraw the tokens that the faucet holds, such as tokens that were sent to it by mistake. It cannot change the
/// tokens of a claim, their amounts, the cooldown or the time of a claim, stop claims while the faucet holds tokens, or move
/// tokens of other accounts.
interface IFaucet {
    /// @notice Emitted for each token of a claim.
    /// @param user The account that claimed.
    /// @param token The token.
    /// @param amount The amount paid, raw.
    event Claimed(address indexed user, address indexed token, uint256 amount);

    /// @notice Emitted when the owner withdraws tokens.
    /// @param token The token.
    /// @param recipient The account that received them.
    /// @param amount The amount, raw.
    event Withdrawn(address indexed token, address indexed recipient, uint256 amount);

    /// @notice Thrown when the cooldown of the caller has not passed.
    /// @param nextClaimAt Unix seconds from which the caller may claim again.
    error CooldownActive(uint256 nextClaimAt);

    /// @notice Thrown when the caller is not the account that sent the transaction.
    /// @param caller The contract that called.
    error CallerIsContract(address caller);

    /// @notice Thrown when the faucet holds too little of a token.
    /// @param token The token.
    error FaucetDry(address token);

    /// @notice Thrown when the recipient of a withdrawal is zero or the faucet.
    /// @param recipient The recipient.
    error InvalidRecipient(address recipient);

    /// @notice Thrown by the constructor when tokens and amounts differ in number.
    /// @param tokens The number of tokens.
    /// @param amounts The number of amounts.
    error LengthMismatch(uint256 tokens, uint256 amounts);

    /// @notice Thrown by the constructor when an amount is zero or a token appears twice.
    /// @param token The token.
    /// @param amount Its amount, raw.
    error InvalidDrip(address token, uint256 amount);

    /// @notice Pays the caller the fixed amount of every token, or reverts.
    /// @dev The caller must be the account that sends the transaction.
    function claimAll() external;

    /// @notice Withdraws tokens that the faucet holds. Only the owner may call it.
    /// @param token Any token, also one that claims do not pay.
    /// @param amount The amount, raw.
    /// @param recipient The account that receives them.
    function withdraw(address token, uint256 amount, address recipient) external;

    /// @notice Seconds between two claims of one account.
    function cooldown() external view returns (uint256);

    /// @notice Unix seconds of an account's last claim; 0 if it never claimed.
    /// @param user The account.
    function lastClaimAt(address user) external view returns (uint256);

    /// @notice Unix seconds from which an account may claim again; 0 if it never claimed.
    /// @param user The account.
    function nextClaimAt(address user) external view returns (uint256);

    /// @notice The tokens of a claim.
    function tokens() external view returns (address[] memory);

    /// @notice The amount of a token in a claim, raw; 0 for a token that the faucet does not pay.
    /// @param token The token.
    function dripOf(address token) external view returns (uint256);
}
