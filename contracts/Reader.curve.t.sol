// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Reader} from "./Reader.sol";
import {FamilyCurve} from "./testing/FamilyCurve.sol";
import {FamilyPool} from "./testing/FamilyPool.sol";
import {ForeignFixture} from "./testing/ForeignFixture.sol";
import {TestOracle} from "./testing/TestOracle.sol";

/// @dev The same call reads what computes the curve of a pool, and a view that proves the computation.
contract ReaderCurveTest is ForeignFixture {
    Reader private reader;
    FamilyPool private family;

    function setUp() public override {
        super.setUp();
        reader = new Reader();
        TestOracle usdOracle = new TestOracle("USD", 0.9987e8, address(this));
        family = new FamilyPool(_configOf(address(audOracle), address(usdOracle)), new FamilyCurve());
        aud.mint(address(family), 5_000e6);
        usd.mint(address(family), 3_000e6);
    }

    function test_the_parameters_are_those_of_the_pool_itself_and_the_rates_those_of_its_assimilators() public view {
        (, Reader.CurveState memory curve) = _probe(address(family), true, 0.1e18);
        (int128 alpha, int128 beta, int128 delta, int128 epsilon, int128 lambda,) = family.curve();
        vm.assertEq(curve.isReadable, true);
        vm.assertEq(
            abi.encode(curve.alpha, curve.beta, curve.delta, curve.epsilon, curve.lambda),
            abi.encode(alpha, beta, delta, epsilon, lambda)
        );
        vm.assertEq(abi.encode(curve.baseRate), abi.encode(uint256(AUD_PRICE), 8, 6));
        vm.assertEq(abi.encode(curve.quoteRate), abi.encode(uint256(0.9987e8), 8, 6));
    }

    function test_the_probe_pays_a_share_of_the_balance_of_either_token() public view {
        (, Reader.CurveState memory curve) = _probe(address(family), true, 0.1e18);
        vm.assertEq(curve.amount, 500e6 + 1);
        vm.assertEq(curve.isPaid, true);
        vm.assertEq(curve.data, abi.encode(family.viewOriginSwap(address(aud), address(usd), 500e6 + 1)));
        (, curve) = _probe(address(family), false, 0.1e18);
        vm.assertEq(curve.amount, 300e6 + 1);
        vm.assertEq(curve.data, abi.encode(family.viewOriginSwap(address(usd), address(aud), 300e6 + 1)));
    }

    function test_the_reason_of_a_refused_probe_is_returned() public {
        (, Reader.CurveState memory curve) = _probe(address(family), true, 0.6e18);
        vm.assertEq(curve.isPaid, false);
        vm.assertEq(curve.data, abi.encodeWithSignature("Error(string)", "Curve/upper-halt"));
        family.setGloballyFrozen(true);
        (, curve) = _probe(address(family), true, 0.1e18);
        vm.assertEq(
            curve.data,
            abi.encodeWithSignature("Error(string)", "Curve/frozen-globally-only-allowing-proportional-withdraw")
        );
    }

    function test_a_pool_without_the_parameters_of_the_family_has_no_readable_curve() public view {
        (Reader.PoolState memory state, Reader.CurveState memory curve) = _probe(address(pool), true, 0.1e18);
        vm.assertEq(state.base, address(aud));
        vm.assertEq(curve.isReadable, false);
        vm.assertEq(curve.isPaid, true);
    }

    function test_a_share_of_zero_probes_nothing() public view {
        (Reader.PoolState memory state, Reader.CurveState memory curve) = _probe(address(family), true, 0);
        vm.assertEq(state.baseReserve, 5_000e6);
        vm.assertEq(abi.encode(curve.isReadable, curve.amount, curve.isPaid), abi.encode(false, 0, false));
    }

    function test_a_call_whose_gas_does_not_suffice_for_a_probe_runs_out_of_it() public {
        Reader.Probe[] memory probes = _toProbes(address(family), true, 0.1e18);
        (bool ok,) = address(reader).call{gas: 2_000_000}(abi.encodeCall(Reader.probedStates, (probes)));
        vm.assertEq(ok, false);
        (ok,) = address(reader).call{gas: 6_000_000}(abi.encodeCall(Reader.probedStates, (probes)));
        vm.assertEq(ok, true);
    }

    function _probe(address target, bool paysBase, uint256 share)
        private
        view
        returns (Reader.PoolState memory, Reader.CurveState memory)
    {
        (,, Reader.ProbedState[] memory states) = reader.probedStates(_toProbes(target, paysBase, share));
        return (states[0].state, states[0].curve);
    }

    function _toProbes(address target, bool paysBase, uint256 share)
        private
        pure
        returns (Reader.Probe[] memory probes)
    {
        probes = new Reader.Probe[](1);
        probes[0] = Reader.Probe({pool: target, paysBase: paysBase, share: share});
    }
}
