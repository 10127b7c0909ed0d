// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ReentrantToken} from "./ReentrantToken.sol";

/// @title HostilePermitToken
/// @notice A hostile token whose `permit` does anything but what it should.
contract HostilePermitToken is ReentrantToken {
    /// @dev `Ignore` accepts every signature and does nothing, as the fallback of WETH does. `CallBack` makes the armed call.
    enum Behaviour {
        Ignore,
        Revert,
        BurnGas,
        CallBack
    }

    Behaviour private _behaviour;

    constructor(uint8 decimals_, address owner) ReentrantToken(decimals_, owner) {}

    /// @notice Sets what `permit` does.
    function setBehaviour(Behaviour behaviour) external {
        _behaviour = behaviour;
    }

    /// @inheritdoc ERC20Permit
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        public
        override
    {
        if (_behaviour == Behaviour.Ignore) return;
        if (_behaviour == Behaviour.Revert) {
            // More data than the caller has gas to copy.
            assembly ("memory-safe") {
                revert(0, 1000000)
            }
        }
        while (_behaviour == Behaviour.BurnGas) {}
        _callBack();
        super.permit(owner, spender, value, deadline, v, r, s);
    }
}
