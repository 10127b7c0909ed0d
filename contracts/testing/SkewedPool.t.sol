// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Fixture} from "./Fixture.sol";
import {SkewedPool} from "./SkewedPool.sol";

contract SkewedPoolTest is Fixture {
    SkewedPool private skewed;

    function setUp() public override {
        super.setUp();
        skewed = new SkewedPool(_configOf(aud, audReader, usd, usdReader));
        _fund(skewed, 1_000_000e6, 1_000_000e6);
    }

    function test_without_a_skew_it_pays_the_same_as_a_pool() public view {
        vm.assertEq(_quote(1000e6), 1_534_858_721);
        vm.assertEq(skewed.viewTargetSwap(address(usd), address(aud), 1000e6), 651_525_764);
    }

    function test_a_skew_of_100_pays_one_percent_more_and_of_minus_100_one_percent_less() public {
        skewed.setSkewBps(100);
        vm.assertEq(_quote(1000e6), 1_550_982_800 - 775_492);
        skewed.setSkewBps(-100);
        vm.assertEq(_quote(1000e6), 1_520_270_269 - 760_136);
    }

    function test_a_swap_pays_the_output_of_the_skewed_view() public {
        skewed.setSkewBps(-250);
        uint256 quoted = _quote(1000e6);
        _give(usd, 1000e6, address(skewed));
        vm.prank(trader);
        skewed.originSwap(address(usd), address(aud), 1000e6, quoted, LATER);
        vm.assertEq(aud.balanceOf(trader), quoted);
    }

    function testFuzz_the_input_for_an_exact_output_suffices(uint256 wanted, int256 skewBps) public {
        skewBps = int256(_bound(uint256(skewBps), 0, 2000)) - 1000;
        wanted = _bound(wanted, 1, 100_000e6);
        skewed.setSkewBps(skewBps);
        vm.assertGe(_quote(skewed.viewTargetSwap(address(usd), address(aud), wanted)), wanted);
    }

    function test_error_InvalidSkew_when_the_output_would_be_zero_or_more_than_doubled() public {
        skewed.setSkewBps(-9999);
        skewed.setSkewBps(10_000);
        vm.expectRevert(abi.encodeWithSelector(SkewedPool.InvalidSkew.selector, -10_000));
        skewed.setSkewBps(-10_000);
        vm.expectRevert(abi.encodeWithSelector(SkewedPool.InvalidSkew.selector, 10_001));
        skewed.setSkewBps(10_001);
    }

    function test_only_the_owner_sets_the_skew() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, trader));
        vm.prank(trader);
        skewed.setSkewBps(1);
    }

    function _quote(uint256 amount) private view returns (uint256) {
        return skewed.viewOriginSwap(address(usd), address(aud), amount);
    }
}
