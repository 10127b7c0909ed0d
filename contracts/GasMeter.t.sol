// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ChainProof, PROOF_MARKER} from "./ChainProof.sol";
import {GasMeter} from "./GasMeter.sol";
import {Fixture} from "./testing/Fixture.sol";

contract GasMeterTest is Fixture {
    address private constant WALLET = address(0xA610);

    function setUp() public override {
        super.setUp();
        // The service does this with a state override.
        vm.etch(WALLET, type(GasMeter).runtimeCode);
    }

    function test_the_calls_of_a_list_run_in_order_on_the_state_of_the_earlier_ones() public {
        usd.mint(WALLET, 5);
        GasMeter.Call[] memory calls = new GasMeter.Call[](3);
        calls[0] = GasMeter.Call(address(usd), abi.encodeCall(usd.approve, (WALLET, 5)));
        calls[1] = GasMeter.Call(address(usd), abi.encodeCall(usd.transferFrom, (WALLET, address(this), 3)));
        calls[2] = GasMeter.Call(address(usd), abi.encodeCall(usd.transfer, (address(this), 2)));
        uint256 before = usd.balanceOf(address(this));
        (ChainProof memory proof, uint256[] memory gasUsed, bool success, bytes memory revertData) =
            GasMeter(WALLET).measureAll(calls);
        vm.assertEq(usd.balanceOf(address(this)), before + 5);
        vm.assertEq(gasUsed.length, 3);
        // A new allowance costs 20,000 or more; the last call finds all its slots warm.
        vm.assertGe(gasUsed[0], 20_000);
        vm.assertGe(gasUsed[1], 3_000);
        vm.assertLe(gasUsed[2], 5_000);
        vm.assertEq(success, true);
        vm.assertEq(revertData.length, 0);
        vm.assertEq(proof.marker, PROOF_MARKER);
        vm.assertEq(proof.chainId, block.chainid);
    }

    function test_a_list_ends_with_the_first_call_that_reverts() public {
        GasMeter.Call[] memory calls = new GasMeter.Call[](3);
        calls[0] = GasMeter.Call(address(usd), abi.encodeCall(usd.approve, (address(this), 7)));
        calls[1] = GasMeter.Call(address(usd), abi.encodeCall(usd.transfer, (address(this), 5)));
        calls[2] = GasMeter.Call(address(usd), abi.encodeCall(usd.approve, (address(this), 8)));
        (, uint256[] memory gasUsed, bool success, bytes memory revertData) = GasMeter(WALLET).measureAll(calls);
        vm.assertEq(usd.allowance(WALLET, address(this)), 7);
        vm.assertEq(gasUsed.length, 2);
        vm.assertGe(gasUsed[1], 500);
        vm.assertEq(success, false);
        vm.assertEq(
            revertData, abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, WALLET, 0, 5)
        );
    }

    function test_an_empty_list_succeeds() public {
        (, uint256[] memory gasUsed, bool success,) = GasMeter(WALLET).measureAll(new GasMeter.Call[](0));
        vm.assertEq(gasUsed.length, 0);
        vm.assertEq(success, true);
    }

    /// @dev Permit2 and tokens such as USDC call an owner that has code, as the wallet has while it is measured.
    function test_a_signature_of_the_wallet_is_accepted() public view {
        (bytes32 digest, bytes memory signature) = (keccak256("digest"), hex"5e");
        bytes4 answer = IERC1271(WALLET).isValidSignature(digest, signature);
        vm.assertEq(uint256(uint32(answer)), uint256(uint32(IERC1271.isValidSignature.selector)));
    }
}
