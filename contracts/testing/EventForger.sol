// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title EventForger
/// @notice Emits events as pools, tokens and entry points do, to test that events of other contracts do not count.
contract EventForger {
    event Trade(
        address indexed trader,
        address indexed origin,
        address indexed target,
        uint256 originAmount,
        uint256 targetAmount,
        int128 rawProtocolFee
    );

    event Transfer(address indexed from, address indexed to, uint256 value);

    /// @notice Emits the events of a conversion by a router.
    function forgeConversion(address router, address origin, address target, uint256 paid, uint256 received) external {
        emit Transfer(msg.sender, router, paid);
        emit Trade(router, origin, target, paid, received, 0);
        emit Transfer(router, msg.sender, received);
    }

    /// @notice Emits many transfers.
    function forgeTransfers(uint256 count) external {
        for (uint256 i = 0; i < count; i++) {
            emit Transfer(msg.sender, address(this), i);
        }
    }
}
