/** A response of `convert/preview`, for subjects that return a constant. */
export const previewAnswer = {
  amountIn: '1000',
  amountOut: '650.874400',
  tokenIn: { address: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512', symbol: 'tAUD', decimals: 6 },
  tokenOut: { address: '0x5FbDB2315678afecb367f032d93F642f64180aa3', symbol: 'tUSD', decimals: 6 },
  exchangeRate: '0.65087440',
  inverseRate: '1.53639473',
  fee: '0.05%',
  routeFeeRate: '0.05%',
  recommendedMinAmountOut: '650.548962',
  blockNumber: 42,
  blockTimestamp: '2026-11-21T05:00:00.000Z',
}
