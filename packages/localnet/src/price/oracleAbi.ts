import { parseAbi } from 'viem'

/** The functions of a test oracle that the keeper and the scenarios call. */
export const oracleAbi = parseAbi([
  'function owner() view returns (address)',
  'function latestRoundData() view returns (uint80, int256 answer, uint256, uint256 updatedAt, uint80)',
  'function updateAnswer(int256 answer)',
  'function setRound(int256 answer, uint256 updatedAt)',
])
