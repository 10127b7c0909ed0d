import { tokenAbi } from '@agio/chain/abi'
import type { LocalChain } from '@agio/localnet'
import type { Hex } from 'viem'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Caller } from '../harness/Caller.ts'
import { validInputs } from '../harness/validInputs.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import type { Trader } from '../harness/createTrader.ts'
import { signConversion } from '../harness/signConversion.ts'
import { setUp } from '../harness/setUp.ts'
import { partOf } from '../harness/partOf.ts'

const operations = ['transaction.broadcastConvert', 'transaction.broadcast'] as const
type Operation = (typeof operations)[number]
type Outcome = Awaited<ReturnType<Caller>>

// It waits longer than a machine stands still.
const stack = setUp(() => startAgio({ broadcastWaitMs: 600_000 }))
/** A service over the same chains that waits only a moment for a transaction. */
const hasty = setUp(() => startAgio({ localnet: stack.localnet, broadcastWaitMs: 100 }))
let chain: LocalChain
let owner: Owner

beforeAll(async () => {
  chain = stack.localnet.chains[84532]
  owner = connectOwner(chain)
})

describe.each(partOf(operations))('one transaction sent to %s fifty times at once over REST and tRPC', (operation) => {
  it(`a transaction sent fifty times to ${operation} is mined once, with the same response to all`, async () => {
    const { trader, signedTransaction } = await sign()
    const first = await expectSame(broadcast(operation, signedTransaction))
    expect(first).toMatchObject({ status: 200, data: { status: 'success', ...analysisOf(operation) } })
    await expectConverted(trader, 1)
    expect(await broadcast(operation, signedTransaction, { times: 1 })[0]).toEqual(first)
  })

  it(`a transaction sent fifty times to ${operation} is pending in all responses before it is mined, and then successful`, async () => {
    const { trader, signedTransaction } = await sign()
    await injectUntilEnd('no-mining')
    const pending = await expectSame(broadcast(operation, signedTransaction, { by: hasty }))
    const { transactionHash } = pending.data ?? {}
    expect(pending).toEqual({ status: 200, data: { transactionHash, status: 'pending' } })
    await expectConverted(trader, 0)
    const waiting = expectSame(broadcast(operation, signedTransaction))
    const { blockNumber } = await stack.scenarios.run('mine')
    const mined = { transactionHash, status: 'success', blockNumber, ...analysisOf(operation) }
    expect(await waiting).toMatchObject({ status: 200, data: mined })
    await expectConverted(trader, 1)
  })

  it(`a transaction sent fifty times to ${operation} is failed in all responses with the same reason if it reverts`, async () => {
    const { trader, signedTransaction } = await sign()
    await injectUntilEnd('price-move', { symbol: 'tAUD', percent: -1 })
    const failure = {
      code: 'svc/below-min-target',
      message: expect.stringContaining('644.365656'),
      revert: { name: 'BelowMinTarget', args: ['644365656', '650548962'] },
    }
    const first = await expectSame(broadcast(operation, signedTransaction))
    expect(first).toMatchObject({ status: 200, data: { status: 'failed', failure } })
    expect(first.data).not.toHaveProperty('convert')
    await expectConverted(trader, 0)
  })

  it(`a transaction sent fifty times to ${operation} is rejected in all responses if its nonce is used`, async () => {
    const { trader, signedTransaction } = await sign()
    const transfer = { to: owner.address, data: '0x', value: '1', chainId: 84532, gasLimit: '21000' } as const
    const other = await trader.sign(stack.callers.REST, transfer)
    await expectSame(broadcast('transaction.broadcast', other))
    const refused = { code: 'svc/nonce-too-low', type: '/docs/errors#nonce-too-low', retryable: false }
    expect(await expectSame(broadcast(operation, signedTransaction))).toMatchObject({ status: 409, failure: refused })
    await expectConverted(trader, 0)
  })
})

async function sign() {
  return await signConversion(chain, stack.callers.REST, { minAmountOut: '650.548962' })
}

/** Injects a fault until the test ends. */
async function injectUntilEnd(...fault: Parameters<AgioStack['scenarios']['run']>): Promise<void> {
  onTestFinished(() => stack.recover('convert.preview', validInputs(chain)['convert.preview']))
  await stack.scenarios.run(...fault)
}

function broadcast(
  operation: Operation,
  signedTransaction: Hex,
  { times = 50, by = stack }: { readonly times?: number; readonly by?: AgioStack } = {},
): readonly Promise<Outcome>[] {
  const { tokenIn, tokenOut, amountIn } = validInputs(chain)['convert.preview']
  const conversion = { tokenIn, tokenOut, amountIn, expectedAmountOut: '650.8744' }
  const input = { signedTransaction, ...(operation === 'transaction.broadcastConvert' && conversion) }
  const { REST, tRPC } = by.callers
  return Array.from({ length: times }, (_, index) => (index % 2 === 0 ? REST : tRPC)(operation, input))
}

/** The outcomes of fifty requests, without their request ids. */
async function expectSame(calls: readonly Promise<Outcome>[]): Promise<Outcome> {
  const outcomes = await Promise.all(calls)
  const ids = outcomes.flatMap(({ failure }) => failure?.['requestId'] ?? [])
  const [first, ...others] = outcomes.map(withoutRequest)
  for (const other of others) expect(other).toEqual(first)
  expect(others).toHaveLength(49)
  // A tRPC batch is one request.
  expect(new Set(ids).size).toBeGreaterThanOrEqual(ids.length / 2)
  return first as Outcome
}

/** Removes `success`, which only the REST envelope has. */
function withoutRequest({ failure, ...outcome }: Outcome): Outcome {
  if (!failure) return outcome
  const { requestId: _, success: _success, ...rest } = failure
  return { ...outcome, failure: rest }
}

function analysisOf(operation: Operation): object {
  const convert = { actualAmountOut: '650.874400', oracleAmountOut: '651.200000', slippage: '0.0000%' }
  return operation === 'transaction.broadcastConvert' ? { convert } : {}
}

/** Counts the mined conversions of a trader by its balance and by its nonce, which the approval has raised by one. */
async function expectConverted({ address }: Trader, times: number): Promise<void> {
  const balance = { address: chain.tokens.tUSD, abi: tokenAbi, functionName: 'balanceOf', args: [address] } as const
  expect(await owner.client.readContract(balance)).toBe(650_874_400n * BigInt(times))
  expect(await owner.client.getTransactionCount({ address, blockTag: 'pending' })).toBeLessThanOrEqual(2)
}
