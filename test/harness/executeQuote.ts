import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { parseUnits } from 'viem'
import { expect } from 'vitest'
import type { Caller } from './Caller.ts'
import type { Unsigned } from './createWallet.ts'
import { createPayer } from './createPayer.ts'
import { readBalance } from './readBalance.ts'

type Token = { readonly address: Address; readonly decimals: number }

/** The fields of a quote that tests read. */
export type Quote = Readonly<
  Record<'quote' | 'expiresAt' | 'mode' | 'amountIn' | 'amountOut' | 'oracleAmountOut' | 'routeFeeRate', string>
> & {
  readonly minAmountOut?: string
  readonly maxAmountIn?: string
  readonly spender: Address
  readonly blockNumber: number
  readonly tokenIn: Token
  readonly tokenOut: Token
  readonly parts: Readonly<Record<'impact' | 'fee' | 'rounding', string>>
}

type QuoteInput = Readonly<Record<string, unknown>> & { readonly recipient?: Address }

/** Requests a quote, and asserts that its parts add up. */
export async function requestQuote(call: Caller, input: QuoteInput): Promise<Quote> {
  const { status, data, failure } = await call('convert.quote', input)
  expect({ status, failure }).toEqual({ status: 200, failure: undefined })
  const quote = data as unknown as Quote
  const toRaw = (amount: string) => parseUnits(amount, quote.tokenOut.decimals)
  const { impact, fee, rounding } = quote.parts
  const sum = toRaw(quote.oracleAmountOut) + toRaw(impact) - toRaw(fee) - toRaw(rounding)
  expect(sum).toBe(toRaw(quote.amountOut))
  return quote
}

/** Requests a quote, then builds, signs and broadcasts it from a new wallet that holds more than enough. */
export async function executeQuote(call: Caller, chain: Pick<LocalChain, 'rpcUrl'>, input: QuoteInput) {
  const quoted = await requestQuote(call, input)
  const { quote, tokenIn, tokenOut, spender } = quoted
  const heldRaw = 3n * parseUnits(quoted.amountIn, tokenIn.decimals)
  const payer = await createPayer(chain, { token: tokenIn.address, amountRaw: heldRaw, spender })
  const recipient = input.recipient ?? payer.address
  const heldBeforeRaw = await readBalance(chain, tokenOut.address, recipient)
  const built = await call('transaction.buildConvert', { quote, userAddress: payer.address })
  expect(built).toMatchObject({ status: 200, data: { to: spender, issues: [] } })
  const signedTransaction = await payer.sign(call, built.data as unknown as Unsigned)
  const sent = await call('transaction.broadcastConvert', { quote, signedTransaction })
  expect(sent).toMatchObject({ status: 200, data: { status: 'success' } })
  return {
    quoted,
    built: built.data ?? {},
    sent: sent.data ?? {},
    payer,
    paidRaw: heldRaw - (await readBalance(chain, tokenIn.address, payer.address)),
    receivedRaw: (await readBalance(chain, tokenOut.address, recipient)) - heldBeforeRaw,
    /** The amounts of the quote, in raw units. */
    amountInRaw: parseUnits(quoted.amountIn, tokenIn.decimals),
    amountOutRaw: parseUnits(quoted.amountOut, tokenOut.decimals),
  }
}
