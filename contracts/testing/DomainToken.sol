// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title DomainToken
/// @notice A token with EIP-2612 permits whose domain has any of the fields of EIP-712, to test how domains are found.
contract DomainToken is ERC20 {
    /// @param fields The fields of the domain as ERC-5267 has them: name, version, chain id, contract and salt, from the lowest bit.
    /// @param name The name in the domain, and of the token.
    /// @param version The version in the domain.
    /// @param chainId The chain id in the domain.
    /// @param verifyingContract The contract in the domain; zero for the token itself.
    /// @param salt The salt in the domain.
    /// @param reports Whether `eip712Domain` exists.
    /// @param hasVersion Whether `version` exists.
    /// @param isWrong Whether `DOMAIN_SEPARATOR` belongs to another domain.
    struct Domain {
        uint8 fields;
        string name;
        string version;
        uint256 chainId;
        address verifyingContract;
        bytes32 salt;
        bool reports;
        bool hasVersion;
        bool isWrong;
    }

    bytes32 private constant _PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    Domain private _domain;

    mapping(address owner => uint256 nonce) public nonces;

    constructor(Domain memory domain) ERC20(domain.name, "DOM") {
        _domain = domain;
        if (domain.verifyingContract == address(0)) _domain.verifyingContract = address(this);
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        // Without a reason, as contracts in Vyper revert.
        if (deadline < block.timestamp) revert();
        bytes32 hash = keccak256(abi.encode(_PERMIT_TYPEHASH, owner, spender, value, nonces[owner]++, deadline));
        bytes32 digest = MessageHashUtils.toTypedDataHash(DOMAIN_SEPARATOR(), hash);
        if (ECDSA.recover(digest, v, r, s) != owner) revert();
        _approve(owner, spender, value);
    }

    function version() external view returns (string memory) {
        if (!_domain.hasVersion) revert();
        return _domain.version;
    }

    function eip712Domain()
        external
        view
        returns (bytes1, string memory, string memory, uint256, address, bytes32, uint256[] memory)
    {
        Domain memory domain = _domain;
        if (!domain.reports) revert();
        return (
            bytes1(domain.fields),
            domain.name,
            domain.version,
            domain.chainId,
            domain.verifyingContract,
            domain.salt,
            new uint256[](0)
        );
    }

    // solhint-disable-next-line func-name-mixedcase
    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        Domain memory domain = _domain;
        (bytes memory types, bytes memory values) = ("", "");
        if (domain.fields & 1 != 0) {
            types = bytes.concat(types, ",string name");
            values = bytes.concat(values, keccak256(bytes(domain.name)));
        }
        if (domain.fields & 2 != 0) {
            types = bytes.concat(types, ",string version");
            values = bytes.concat(values, keccak256(bytes(domain.version)));
        }
        if (domain.fields & 4 != 0) {
            types = bytes.concat(types, ",uint256 chainId");
            values = bytes.concat(values, bytes32(domain.chainId));
        }
        if (domain.fields & 8 != 0) {
            types = bytes.concat(types, ",address verifyingContract");
            values = bytes.concat(values, bytes32(uint256(uint160(domain.verifyingContract))));
        }
        if (domain.fields & 16 != 0) {
            types = bytes.concat(types, ",bytes32 salt");
            values = bytes.concat(values, domain.salt);
        }
        bytes32 typeHash = keccak256(bytes.concat("EIP712Domain(", _withoutFirst(types), ")"));
        bytes32 separator = keccak256(bytes.concat(typeHash, values));
        return domain.isWrong ? ~separator : separator;
    }

    function _withoutFirst(bytes memory list) private pure returns (bytes memory rest) {
        rest = new bytes(list.length == 0 ? 0 : list.length - 1);
        for (uint256 i = 0; i < rest.length; i++) {
            rest[i] = list[i + 1];
        }
    }
}
