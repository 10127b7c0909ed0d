// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Fixture} from "./Fixture.sol";
import {TestOracle} from "./TestOracle.sol";

contract TestOracleTest is Fixture {
    function test_the_first_price_has_the_time_of_deployment() public view {
        vm.assertEq(uint256(audOracle.decimals()), 8);
        vm.assertEq(bytes(audOracle.description()), "AUD");
        _assertRound(1, AUD_PRICE, NOW);
    }

    function test_an_update_starts_a_new_round_at_the_block_timestamp() public {
        vm.warp(NOW + 60);
        vm.expectEmit(address(audOracle));
        emit TestOracle.AnswerUpdated(0.66e8, 2, NOW + 60);
        audOracle.updateAnswer(0.66e8);
        _assertRound(2, 0.66e8, NOW + 60);
    }

    function test_a_round_can_have_any_timestamp() public {
        audOracle.setRound(-5, 7);
        _assertRound(2, -5, 7);
    }

    function test_every_round_can_be_read_and_one_that_does_not_exist_is_zero() public {
        audOracle.setRound(-5, 7);
        audOracle.updateAnswer(0.66e8);
        int256[5] memory answers = [int256(0), AUD_PRICE, -5, 0.66e8, 0];
        uint256[5] memory times = [uint256(0), NOW, 7, NOW, 0];
        for (uint80 id = 0; id < 5; id++) {
            (, int256 answer,, uint256 updatedAt,) = audOracle.getRoundData(id);
            vm.assertEq(answer, answers[id]);
            vm.assertEq(updatedAt, times[id]);
        }
    }

    function test_only_the_owner_sets_answers() public {
        bytes memory reason = abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, trader);
        vm.expectRevert(reason);
        vm.prank(trader);
        audOracle.updateAnswer(1);
        vm.expectRevert(reason);
        vm.prank(trader);
        audOracle.setRound(1, NOW);
    }

    function _assertRound(uint256 expectedId, int256 expectedAnswer, uint256 expectedTime) private view {
        (uint80 id, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound) =
            audOracle.latestRoundData();
        vm.assertEq(uint256(id), expectedId);
        vm.assertEq(answer, expectedAnswer);
        vm.assertEq(startedAt, expectedTime);
        vm.assertEq(updatedAt, expectedTime);
        vm.assertEq(uint256(answeredInRound), expectedId);
    }
}
