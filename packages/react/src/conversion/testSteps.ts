import type { AgioQuoteData, ChainId, ConversionState, Step, StepContent } from '@agio/sdk'

const conversionId = '5f2d1c3a-9b7e-4a60-8c41-0d2e6f7a8b9c'
const chainId = 1 as ChainId

/** A quote of 100 tAUD for tests. */
export const quote = {
  quote: 'q',
  expiresAt: '2026-11-22T10:01:00.000Z',
  spender: '0x0000000000000000000000000000000000000005',
  mode: 'exact-in',
  amountIn: '100',
  amountOut: '64.93',
  minAmountOut: '64.9',
  tokenIn: { address: '0x0000000000000000000000000000000000000001', symbol: 'tAUD', decimals: 6 },
  tokenOut: { address: '0x0000000000000000000000000000000000000002', symbol: 'tUSD', decimals: 6 },
  route: [],
  chainId,
  request: {
    chainId,
    amountIn: '100',
    tokenIn: '0x0000000000000000000000000000000000000001',
    tokenOut: '0x0000000000000000000000000000000000000002',
  },
} as Partial<AgioQuoteData> as AgioQuoteData

/** A pending request to the wallet for tests. */
export const pending = {
  kind: 'convert',
  to: quote.spender,
  data: '0x01',
  fromBlock: 1,
  nonce: 0,
  pendingNonce: 0,
} as const satisfies ConversionState['pending']

/** Creates a step for tests. */
export function toStep(content: StepContent, state: Partial<ConversionState> = {}): Step {
  return {
    conversionId,
    at: '2026-11-22T10:00:00.000Z',
    ...content,
    state: {
      version: 1,
      chainId,
      account: '0x0000000000000000000000000000000000000003',
      quote,
      fromBlock: 1,
      refused: [],
      ...state,
    },
  }
}
