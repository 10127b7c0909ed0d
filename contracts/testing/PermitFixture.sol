// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPermitRouter} from "../interfaces/IPermitRouter.sol";
import {RouterFixture} from "./RouterFixture.sol";
import {TestToken} from "./TestToken.sol";

/// @title PermitFixture
/// @notice A payer with a key, Permit2 at its address of all networks, and functions that make conversions and sign for them.
/// @dev The EIP-712 types stand here in full, as a wallet hashes them: nothing is shared with the contracts under test.
abstract contract PermitFixture is RouterFixture {
    uint256 internal constant KEY = 0xA11CE;
    uint256 internal constant OTHER_KEY = 0xE5E;
    uint256 internal constant MAX = type(uint256).max;
    address internal constant RECIPIENT = address(0xB0B);
    address internal constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    address private constant _CREATE2_DEPLOYER = 0x4e59b44847b379578588920cA78FbF26c0B4956C;
    bytes private constant _CREATE2_DEPLOYER_CODE =
        hex"7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3";
    bytes32 private constant _PERMIT2_SALT = 0x0000000000000000000000000000000000000000d3af2663da51c10215000000;

    string private constant _PERMIT =
        "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)";
    string private constant _ORIGIN_SWAP =
        "OriginSwap(address quote,address origin,address target,uint256 originAmount,uint256 minTargetAmount,address recipient,uint256 deadline,bytes32 quoteDigest)";
    string private constant _TARGET_SWAP =
        "TargetSwap(address quote,address origin,address target,uint256 maxOriginAmount,uint256 targetAmount,address recipient,uint256 deadline,bytes32 quoteDigest)";
    string private constant _TOKEN_PERMISSIONS = "TokenPermissions(address token,uint256 amount)";
    string private constant _ORIGIN_TRANSFER =
        "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,OriginSwap witness)OriginSwap(address quote,address origin,address target,uint256 originAmount,uint256 minTargetAmount,address recipient,uint256 deadline,bytes32 quoteDigest)TokenPermissions(address token,uint256 amount)";
    string private constant _TARGET_TRANSFER =
        "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,TargetSwap witness)TargetSwap(address quote,address origin,address target,uint256 maxOriginAmount,uint256 targetAmount,address recipient,uint256 deadline,bytes32 quoteDigest)TokenPermissions(address token,uint256 amount)";

    address internal immutable payer = vm.addr(KEY);
    address internal immutable stranger = vm.addr(OTHER_KEY);

    function setUp() public virtual override {
        super.setUp();
        vm.etch(_CREATE2_DEPLOYER, _CREATE2_DEPLOYER_CODE);
        bytes memory code = vm.parseBytes(vm.trim(vm.readFile("contracts/testing/permit2/creation.hex")));
        (, bytes memory deployed) = _CREATE2_DEPLOYER.call(bytes.concat(_PERMIT2_SALT, code));
        vm.assertEq(address(bytes20(deployed)), PERMIT2);
    }

    /// @dev A conversion of an exact input for the recipient, with its output as the minimum.
    function _originSwap(TestToken origin, TestToken target, uint256 amount)
        internal
        view
        returns (IPermitRouter.OriginSwap memory)
    {
        (address quote, address from, address to) = (address(usd), address(origin), address(target));
        uint256 output = router.viewOriginSwap(quote, from, to, amount);
        return IPermitRouter.OriginSwap(quote, from, to, amount, output, RECIPIENT, LATER);
    }

    /// @dev A conversion for an exact output for the recipient, with its input as the maximum.
    function _targetSwap(TestToken origin, TestToken target, uint256 wanted)
        internal
        view
        returns (IPermitRouter.TargetSwap memory)
    {
        (address quote, address from, address to) = (address(usd), address(origin), address(target));
        uint256 cost = router.viewTargetSwap(quote, from, to, wanted);
        return IPermitRouter.TargetSwap(quote, from, to, cost, wanted, RECIPIENT, LATER);
    }

    /// @dev A permit of the payer for the router, in its last second.
    function _permit(TestToken token, uint256 amount) internal view returns (IPermitRouter.Permit memory) {
        bytes32 digest = _hashPermit(token, payer, address(router), amount, token.nonces(payer), NOW);
        return IPermitRouter.Permit(amount, NOW, _sign(KEY, digest));
    }

    function _hashPermit(
        TestToken token,
        address owner,
        address spender,
        uint256 amount,
        uint256 nonce,
        uint256 deadline
    ) internal view returns (bytes32) {
        bytes32 hash = keccak256(abi.encode(keccak256(bytes(_PERMIT)), owner, spender, amount, nonce, deadline));
        return _hashTyped(address(token), hash);
    }

    /// @dev What a payer signs for Permit2 to convert an exact input.
    function _hashOriginSwap(IPermitRouter.OriginSwap memory swap, bytes32 quoteDigest, address spender)
        internal
        view
        returns (bytes32)
    {
        bytes32 witness = keccak256(abi.encode(keccak256(bytes(_ORIGIN_SWAP)), swap, quoteDigest));
        bytes32 permitted = _hashPermitted(swap.origin, swap.originAmount);
        bytes32 typeHash = keccak256(bytes(_ORIGIN_TRANSFER));
        return _hashTyped(
            PERMIT2, keccak256(abi.encode(typeHash, permitted, spender, quoteDigest, swap.deadline, witness))
        );
    }

    /// @dev What a payer signs for Permit2 to convert for an exact output.
    function _hashTargetSwap(IPermitRouter.TargetSwap memory swap, bytes32 quoteDigest, address spender)
        internal
        view
        returns (bytes32)
    {
        bytes32 witness = keccak256(abi.encode(keccak256(bytes(_TARGET_SWAP)), swap, quoteDigest));
        bytes32 permitted = _hashPermitted(swap.origin, swap.maxOriginAmount);
        bytes32 typeHash = keccak256(bytes(_TARGET_TRANSFER));
        return _hashTyped(
            PERMIT2, keccak256(abi.encode(typeHash, permitted, spender, quoteDigest, swap.deadline, witness))
        );
    }

    /// @dev Signs a digest as 65 bytes: r, s and v.
    function _sign(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    function _hashPermitted(address token, uint256 amount) private pure returns (bytes32) {
        return keccak256(abi.encode(keccak256(bytes(_TOKEN_PERMISSIONS)), token, amount));
    }

    function _hashTyped(address verifier, bytes32 structHash) private view returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", TestToken(verifier).DOMAIN_SEPARATOR(), structHash));
    }
}
