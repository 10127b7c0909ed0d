// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IFamilyPool
/// @notice What pools of the DFX v2 / Stabull v1 family have beyond IPool.
interface IFamilyPool {
    /// @notice The parameters as 64.64 fixed-point numbers, and the supply of LP tokens.
    function curve()
        external
        view
        returns (int128 alpha, int128 beta, int128 delta, int128 epsilon, int128 lambda, uint256 totalSupply);
}

/// @title IFamilyAssimilator
/// @notice How a pool of the family values the raw units of one token.
interface IFamilyAssimilator {
    /// @notice Dollars per whole token, in the decimals of the oracle. Neither age nor sign is checked.
    function getRate() external view returns (uint256);

    /// @notice Decimals of the oracle, as of the deployment.
    function oracleDecimals() external view returns (uint256);

    /// @notice Decimals of the token, as of the deployment.
    function tokenDecimals() external view returns (uint256);
}
