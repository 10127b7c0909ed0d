// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title TestEntryPoint
/// @notice Executes user operations with the calldata and the events of ERC-4337 entry points from version 0.7 on, without
/// validation and fees, to test receipts.
contract TestEntryPoint {
    struct PackedUserOperation {
        address sender;
        uint256 nonce;
        bytes initCode;
        bytes callData;
        bytes32 accountGasLimits;
        uint256 preVerificationGas;
        bytes32 gasFees;
        bytes paymasterAndData;
        bytes signature;
    }

    event UserOperationEvent(
        bytes32 indexed userOpHash,
        address indexed sender,
        address indexed paymaster,
        uint256 nonce,
        bool success,
        uint256 actualGasCost,
        uint256 actualGasUsed
    );

    event UserOperationRevertReason(
        bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason
    );

    /// @notice Executes the operations. An operation that reverts does not make the other operations revert.
    function handleOps(PackedUserOperation[] calldata ops, address payable) external {
        for (uint256 i = 0; i < ops.length; i++) {
            PackedUserOperation calldata op = ops[i];
            bytes32 userOpHash = keccak256(abi.encode(op));
            (bool success, bytes memory output) = op.sender.call(op.callData);
            if (!success && output.length > 0) {
                emit UserOperationRevertReason(userOpHash, op.sender, op.nonce, output);
            }
            emit UserOperationEvent(userOpHash, op.sender, address(0), op.nonce, success, 0, 0);
        }
    }
}
