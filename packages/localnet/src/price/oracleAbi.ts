import { parseAbi } from 'viem'

/** What the keeper needs of a test oracle. */
export const oracleAbi = parseAbi([
  'function owner() view returns (address)',
  'function latestRoundData() view returns (uint80, int256 answer, uint256, uint256 updatedAt, uint80)',
  'function updateAnswer(int256 answer)',
])
