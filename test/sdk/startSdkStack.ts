import type { Hex } from 'viem'
import type { LocalChain } from '@agio/localnet'
import { expect } from 'vitest'
import { createAgio, type Agio, type QuoteRequest } from '../../packages/sdk/src/index.ts'
import type { TestWallet } from '../../packages/sdk/src/testing.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { createFundedWallet } from '../harness/createFundedWallet.ts'
import { pinContracts } from '../harness/pinContracts.ts'

const chainId = 84532

/** Starts a service over separate chains, so that a test may stop their blocks and move their time. */
export async function startSdkStack(): Promise<SdkStack> {
  await using starting = new AsyncDisposableStack()
  const { localnet, url, scenarios } = starting.use(await startAgio())
  const running = starting.move()
  const chain = localnet.chains[chainId]
  const { client } = connectOwner(chain)
  const tracked: string[] = []
  const agio = createAgio({
    url,
    apiKey,
    contracts: pinContracts(localnet.chains),
    async fetch(input, init) {
      const response = await fetch(input, init)
      if (typeof init?.body === 'string' && (input as string).endsWith('transaction.track')) tracked.push(init.body)
      return response
    },
  })

  async function skip(seconds: number) {
    const { timestamp } = await client.getBlock()
    // Quotes expire by the later of clock and newest block.
    const nowSeconds = Math.max(Number(timestamp), Math.ceil(Date.now() / 1000))
    await client.setNextBlockTimestamp({ timestamp: BigInt(nowSeconds + seconds) })
  }

  return {
    agio,
    url,
    chain,
    client,
    scenarios,
    request: { chainId, tokenIn: chain.tokens.tAUD, tokenOut: chain.tokens.tUSD, amountIn: '10' },
    hasCursor: (hash) => tracked.some((body) => body.includes(hash)),
    createFundedWallet: (options) => createFundedWallet(localnet.chains, { chainId, ...options }),
    skip,
    async pass(seconds) {
      await skip(seconds)
      await client.mine({ blocks: 1 })
      const { number } = await client.getBlock()
      await expect.poll(() => readServedBlock(agio)).toBeGreaterThanOrEqual(Number(number))
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export type SdkStack = AsyncDisposable & {
  readonly agio: Agio
  /** Base URL of the service. */
  readonly url: string
  readonly chain: LocalChain
  readonly client: Owner['client']
  readonly scenarios: AgioStack['scenarios']
  /** The request of a conversion of 10 tAUD to tUSD. */
  readonly request: QuoteRequest
  /** Returns whether the service has given the SDK the cursor of a transaction. */
  hasCursor(hash: Hex): boolean
  /** Creates a wallet of a new account on the chain. */
  createFundedWallet(options: Omit<createFundedWallet.Options, 'chainId'>): Promise<TestWallet>
  /** Sets the time of the next block, in seconds from now. */
  skip(seconds: number): Promise<void>
  /** Lets a time pass on the chain, until the service has seen it. */
  pass(seconds: number): Promise<void>
}

async function readServedBlock({ api }: Agio): Promise<number> {
  const { chains } = await api.chains.list.query()
  return chains.find((each) => each.chainId === chainId)?.blockNumber ?? 0
}
