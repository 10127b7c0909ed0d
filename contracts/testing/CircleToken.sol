// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title CircleToken
/// @notice A token that behaves like USDC and EURC, to test that the service works with them: it runs behind a proxy, blocks
/// accounts, can be paused, accepts permits (EIP-2612) and authorizations (EIP-3009) of accounts and of contracts, and reverts
/// with messages. The name is the name of the permit domain, and differs by chain.
/// @dev As in the original, the block of an account is the highest bit of its balance. Approvals and permits ignore it.
contract CircleToken {
    bytes32 private constant _DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant _PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    bytes32 private constant _TRANSFER_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    uint256 private constant _BLOCKED = 1 << 255;

    string public constant version = "2";
    uint8 public constant decimals = 6;

    string public name;
    string public symbol;
    address public owner;
    bool public paused;
    uint256 public totalSupply;
    mapping(address account => uint256 state) private _balances;
    mapping(address account => mapping(address spender => uint256 amount)) public allowance;
    mapping(address account => uint256 nonce) public nonces;
    mapping(address account => mapping(bytes32 nonce => bool isUsed)) public authorizationState;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    modifier onlyOwner() {
        require(msg.sender == owner, "Ownable: caller is not the owner");
        _;
    }

    modifier whenNotPaused() {
        require(!paused, "Pausable: paused");
        _;
    }

    /// @notice Sets up the storage of a proxy.
    function initialize(string calldata name_, string calldata symbol_, address owner_) external {
        require(owner == address(0), "FiatToken: contract is already initialized");
        (name, symbol, owner) = (name_, symbol_, owner_);
    }

    function mint(address to, uint256 amount) external onlyOwner whenNotPaused {
        _checkOpen(to);
        totalSupply += amount;
        _balances[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function setPaused(bool isPaused) external onlyOwner {
        paused = isPaused;
    }

    function setBlocked(address account, bool isBlocked) external onlyOwner {
        _balances[account] = isBlocked ? _balances[account] | _BLOCKED : balanceOf(account);
    }

    function isBlacklisted(address account) public view returns (bool) {
        return _balances[account] >= _BLOCKED;
    }

    function balanceOf(address account) public view returns (uint256) {
        return _balances[account] & ~_BLOCKED;
    }

    function transfer(address to, uint256 value) external whenNotPaused returns (bool) {
        _transfer(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external whenNotPaused returns (bool) {
        _checkOpen(msg.sender);
        _checkOpen(from);
        _checkOpen(to);
        require(value <= allowance[from][msg.sender], "ERC20: transfer amount exceeds allowance");
        allowance[from][msg.sender] -= value;
        _transfer(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external whenNotPaused returns (bool) {
        _approve(msg.sender, spender, value);
        return true;
    }

    function permit(address from, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        permit(from, spender, value, deadline, abi.encodePacked(r, s, v));
    }

    function permit(address from, address spender, uint256 value, uint256 deadline, bytes memory signature)
        public
        whenNotPaused
    {
        require(deadline == type(uint256).max || deadline >= block.timestamp, "FiatTokenV2: permit is expired");
        bytes32 hash = keccak256(abi.encode(_PERMIT_TYPEHASH, from, spender, value, nonces[from]++, deadline));
        require(_isSigned(from, hash, signature), "EIP2612: invalid signature");
        _approve(from, spender, value);
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external whenNotPaused {
        require(block.timestamp > validAfter, "FiatTokenV2: authorization is not yet valid");
        require(block.timestamp < validBefore, "FiatTokenV2: authorization is expired");
        require(!authorizationState[from][nonce], "FiatTokenV2: authorization is used or canceled");
        bytes32 hash = keccak256(abi.encode(_TRANSFER_TYPEHASH, from, to, value, validAfter, validBefore, nonce));
        require(_isSigned(from, hash, signature), "FiatTokenV2: invalid signature");
        authorizationState[from][nonce] = true;
        _transfer(from, to, value);
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(
                _DOMAIN_TYPEHASH, keccak256(bytes(name)), keccak256(bytes(version)), block.chainid, address(this)
            )
        );
    }

    function _isSigned(address account, bytes32 hash, bytes memory signature) private view returns (bool) {
        bytes32 digest = MessageHashUtils.toTypedDataHash(DOMAIN_SEPARATOR(), hash);
        return SignatureChecker.isValidSignatureNow(account, digest, signature);
    }

    function _transfer(address from, address to, uint256 value) private {
        _checkOpen(from);
        _checkOpen(to);
        require(value <= _balances[from], "ERC20: transfer amount exceeds balance");
        _balances[from] -= value;
        _balances[to] += value;
        emit Transfer(from, to, value);
    }

    function _approve(address from, address spender, uint256 value) private {
        allowance[from][spender] = value;
        emit Approval(from, spender, value);
    }

    function _checkOpen(address account) private view {
        require(!isBlacklisted(account), "Blacklistable: account is blacklisted");
    }
}
