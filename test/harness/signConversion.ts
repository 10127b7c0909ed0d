import type { LocalChain } from '@agio/localnet'
import type { Hex } from 'viem'
import { expect } from 'vitest'
import type { Caller } from './Caller.ts'
import type { Unsigned } from './createWallet.ts'
import { validInputs } from './validInputs.ts'
import { createTrader, type Trader } from './createTrader.ts'
import type { mineTogether } from './mineTogether.ts'

/**
 * A conversion of all 1,000 tAUD of a new wallet into tUSD, built by the service at the current price and signed, but not
 * sent.
 *
 * @param change fields of the request to change
 */
export async function signConversion(
  chain: LocalChain,
  call: Caller,
  change: Readonly<Record<string, unknown>> = {},
): Promise<Signed> {
  const trader = await createTrader(chain, { symbol: 'tAUD', amount: '1000' })
  const request = { ...validInputs(chain)['transaction.buildConvert'], userAddress: trader.address, ...change }
  const built = await call('transaction.buildConvert', request)
  expect(built).toMatchObject({ status: 200, data: { issues: [] } })
  const unsigned = built.data as unknown as Unsigned
  const signWith = ({ maxFeePerGas, maxPriorityFeePerGas }: mineTogether.Fees) =>
    trader.sign(call, { ...unsigned, maxFeePerGas: `${maxFeePerGas}`, maxPriorityFeePerGas: `${maxPriorityFeePerGas}` })
  return { trader, signedTransaction: await trader.sign(call, unsigned), signWith }
}

type Signed = {
  readonly trader: Trader
  readonly signedTransaction: Hex
  /** Signs the same conversion with other fees. */
  readonly signWith: (fees: mineTogether.Fees) => Promise<Hex>
}
