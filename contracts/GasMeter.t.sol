// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

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

    function test_the_measured_call_comes_from_the_wallet_and_its_gas_is_returned() public {
        usd.mint(WALLET, 5);
        bytes memory transfer = abi.encodeCall(usd.transfer, (address(this), 5));
        uint256 before = usd.balanceOf(address(this));
        (ChainProof memory proof, uint256 gasUsed, bool success, bytes memory revertData) =
            GasMeter(WALLET).measure(address(usd), transfer);
        vm.assertEq(usd.balanceOf(address(this)), before + 5);
        vm.assertGe(gasUsed, 5_000);
        vm.assertLe(gasUsed, 60_000);
        vm.assertEq(success, true);
        vm.assertEq(revertData.length, 0);
        vm.assertEq(proof.marker, PROOF_MARKER);
        vm.assertEq(proof.chainId, block.chainid);
    }

    function test_a_call_that_reverts_is_returned_with_its_revert_data() public {
        bytes memory transfer = abi.encodeCall(usd.transfer, (address(this), 5));
        (, uint256 gasUsed, bool success, bytes memory revertData) = GasMeter(WALLET).measure(address(usd), transfer);
        vm.assertGe(gasUsed, 1_000);
        vm.assertEq(success, false);
        vm.assertEq(
            revertData, abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, WALLET, 0, 5)
        );
    }
}
