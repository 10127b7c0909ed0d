import { AgioError, type AgioQuoteData, type UnsignedTransaction } from '@agio/sdk'
import { encodeFunctionData, erc20Abi, parseUnits } from 'viem'

/**
 * Asserts that an approval from the service matches the quote: its input token, its spender, and its largest input, or
 * zero for a reset. Conversions check their own approvals.
 *
 * @throws `convert/mismatch`
 */
export function assertApproval({ kind, transaction }: Approval, quote: Approved): void {
  const { tokenIn, spender, amountIn, maxAmountIn } = quote
  const amount = kind === 'reset' ? 0n : parseUnits(maxAmountIn ?? amountIn, tokenIn.decimals)
  const expected = {
    to: tokenIn.address,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
    value: '0',
  }
  for (const field of ['to', 'data', 'value'] as const) assertSame(field, expected[field], transaction[field])
}

type Approval = {
  readonly kind: 'reset' | 'approve'
  readonly transaction: Pick<UnsignedTransaction, 'to' | 'data' | 'value'>
}

type Approved = Pick<AgioQuoteData, 'tokenIn' | 'spender' | 'amountIn' | 'maxAmountIn'>

function assertSame(field: string, expected: string, actual: string): void {
  if (expected.toLowerCase() === actual.toLowerCase()) return
  throw new AgioError('convert/mismatch', `Cannot approve: the ${field} is ${actual}, not ${expected}`, {
    details: { field, expected, actual },
    retryable: false,
    action: 'requote',
  })
}

/**
 * Asserts that a claim from the service calls the faucet of the network and sends no native currency.
 *
 * @throws `convert/mismatch`
 */
export function assertClaim({ to, value }: Pick<UnsignedTransaction, 'to' | 'value'>, faucet: string | null): void {
  if (to.toLowerCase() === faucet?.toLowerCase() && value === '0') return
  const details = { field: 'to', expected: String(faucet), actual: to }
  const message = `Cannot claim: the transaction calls ${to} with the value ${value}, not the faucet ${faucet}`
  throw new AgioError('convert/mismatch', message, { details, retryable: false, action: 'retry' })
}
