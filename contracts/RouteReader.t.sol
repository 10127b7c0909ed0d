// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPool} from "./interfaces/IPool.sol";
import {RouteReader} from "./RouteReader.sol";
import {BrokenContract} from "./testing/BrokenContract.sol";
import {ForeignFixture} from "./testing/ForeignFixture.sol";
import {ForeignPool} from "./testing/ForeignPool.sol";
import {TestOracle} from "./testing/TestOracle.sol";

contract RouteReaderTest is ForeignFixture {
    /// @dev Code placed at an address without running a constructor, as a state override does.
    RouteReader private constant READER = RouteReader(address(0x4EAD));

    /// @dev At most the gas that a node grants a call.
    uint256 private constant CALL_GAS = 20_000_000;

    ForeignPool private foreign;

    function setUp() public override {
        super.setUp();
        vm.etch(address(READER), type(RouteReader).runtimeCode);
        foreign = _createForeign();
        aud.mint(address(foreign), 1_500_000e6);
        usd.mint(address(foreign), 1_000_000e6);
    }

    function test_the_result_of_a_route_is_that_of_each_view_with_the_output_of_the_one_before() public view {
        RouteReader.Hop[] memory hops = _both();
        RouteReader.Result[] memory results = READER.viewRoute(hops, 1000e6);
        uint256 first = pool.viewOriginSwap(address(aud), address(usd), 1000e6);
        uint256 second = foreign.viewOriginSwap(address(usd), address(aud), first);
        vm.assertEq(results.length, 2);
        vm.assertEq(abi.encode(results[0].success, results[1].success), abi.encode(true, true));
        vm.assertEq(results[0].data, abi.encode(first));
        vm.assertEq(results[1].data, abi.encode(second));
    }

    function test_the_result_of_a_route_ends_with_the_revert_or_the_zero_of_a_view() public view {
        RouteReader.Result[] memory results = READER.viewRoute(_both(), 900_000_000e6);
        vm.assertEq(results[0].success, false);
        vm.assertEq(bytes4(results[0].data) == IPool.AboveMaxOrigin.selector, true);
        vm.assertEq(abi.encode(results[1].success, results[1].data), abi.encode(false, ""));
        results = READER.viewRoute(_only(address(foreign), address(usd), address(aud)), 0);
        vm.assertEq(results[0].success, false);
    }

    function test_the_largest_input_of_a_pool_is_the_last_before_its_limit_for_any_hint() public view {
        RouteReader.Hop[] memory hops = _only(address(pool), address(aud), address(usd));
        (uint256 largest, uint256 paid) = READER.largestInput{gas: CALL_GAS}(hops, 1e6);
        vm.assertEq(paid, pool.viewOriginSwap(address(aud), address(usd), largest));
        vm.assertEq(READER.viewRoute(hops, largest + 1)[0].success, false);
        uint256[4] memory hints = [largest, largest + 1, 7 * largest, largest / 1000];
        for (uint256 i = 0; i < hints.length; i++) {
            (uint256 same,) = READER.largestInput{gas: CALL_GAS}(hops, hints[i]);
            vm.assertEq(same, largest);
        }
    }

    function test_the_largest_input_of_a_foreign_pool_and_of_a_route_pays_and_one_more_does_not() public view {
        RouteReader.Hop[] memory hops = _only(address(foreign), address(aud), address(usd));
        for (uint256 i = 0; i < 2; i++) {
            (uint256 largest, uint256 paid) = READER.largestInput{gas: CALL_GAS}(hops, 300_000e6);
            RouteReader.Result[] memory last = READER.viewRoute(hops, largest);
            vm.assertEq(last[last.length - 1].data, abi.encode(paid));
            vm.assertGe(paid, 1);
            last = READER.viewRoute(hops, largest + 1);
            vm.assertEq(last[last.length - 1].success, false);
            hops = _both();
        }
    }

    function test_the_largest_input_reverts_rather_than_take_a_lack_of_gas_for_a_refusal() public view {
        RouteReader.Hop[] memory hops = _both();
        (uint256 largest,) = READER.largestInput{gas: CALL_GAS}(hops, 300_000e6);
        uint256 answers;
        for (uint256 gas = 50_000; gas < 9_000_000; gas += 270_000) {
            try READER.largestInput{gas: gas}(hops, 300_000e6) returns (uint256 amount, uint256) {
                vm.assertEq(amount, largest);
                answers++;
            } catch {}
        }
        vm.assertGe(answers, 1);
        vm.assertLe(answers, 30);
    }

    function test_the_code_fits_into_a_state_override_beside_that_of_the_reader() public pure {
        vm.assertLe(type(RouteReader).runtimeCode.length, 2500);
    }

    function test_the_largest_input_is_zero_if_pools_pay_nothing() public {
        address[2] memory broken = [
            address(new BrokenContract(BrokenContract.Fault.Revert)),
            address(new BrokenContract(BrokenContract.Fault.ShortAnswer))
        ];
        for (uint256 i = 0; i < broken.length; i++) {
            RouteReader.Hop[] memory hops = _only(broken[i], address(aud), address(usd));
            (uint256 amount, uint256 paid) = READER.largestInput{gas: CALL_GAS}(hops, 1e12);
            vm.assertEq(abi.encode(amount, paid), abi.encode(0, 0));
        }
        (uint256 none,) = READER.largestInput(_only(address(foreign), address(aud), address(usd)), 0);
        vm.assertEq(none, 0);
    }

    function _both() private view returns (RouteReader.Hop[] memory hops) {
        hops = new RouteReader.Hop[](2);
        hops[0] = RouteReader.Hop(address(pool), address(aud), address(usd));
        hops[1] = RouteReader.Hop(address(foreign), address(usd), address(aud));
    }

    function _only(address target, address from, address to) private pure returns (RouteReader.Hop[] memory hops) {
        hops = new RouteReader.Hop[](1);
        hops[0] = RouteReader.Hop(target, from, to);
    }

    function _createForeign() private returns (ForeignPool) {
        TestOracle usdOracle = new TestOracle("USD", 0.9987e8, address(this));
        return new ForeignPool(_configOf(address(audOracle), address(usdOracle)));
    }
}
