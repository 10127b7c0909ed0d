import type { Hex } from 'viem'
import { expect } from 'vitest'
import { createAgio, type Agio, type QuoteRequest } from '../../packages/sdk/src/index.ts'
import { readBalance } from '../harness/readBalance.ts'
import { startAgio } from '../harness/startAgio.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { createFundedWallet } from '../harness/createFundedWallet.ts'
import { pinContracts } from '../harness/pinContracts.ts'

const chainId = 84532

/** Starts a service over separate chains, so that a test may stop their blocks and move their time. */
export async function startSdkStack() {
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
    /** Base URL of the service. */
    url,
    chain,
    client,
    scenarios,
    /** The request of a conversion of 10 tAUD to tUSD. */
    request: { chainId, tokenIn: chain.tokens.tAUD, tokenOut: chain.tokens.tUSD, amountIn: '10' } as QuoteRequest,
    /** Returns whether the service has given the SDK the cursor of a transaction. */
    hasCursor: (hash: Hex) => tracked.some((body) => body.includes(hash)),
    /** Creates a wallet of a new account on the chain. */
    createFundedWallet: (options: Omit<createFundedWallet.Options, 'chainId'>) =>
      createFundedWallet(localnet.chains, { chainId, ...options }),
    /** Mines what is pending, and all that follows. */
    mine: () => scenarios.run('mine', { chainId }),
    /** Returns what an account that held 100 tAUD has spent of it, in raw units. */
    readSpent: async ({ address }: { readonly address: Hex }) =>
      100_000_000n - (await readBalance(chain, chain.tokens.tAUD, address)),
    /** Sets the time of the next block, in seconds from now. */
    skip,
    /** Lets a time pass on the chain, until the service has seen it. */
    async pass(seconds: number) {
      await skip(seconds)
      await client.mine({ blocks: 1 })
      const { number } = await client.getBlock()
      await expect.poll(() => readServedBlock(agio)).toBeGreaterThanOrEqual(Number(number))
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export type SdkStack = Awaited<ReturnType<typeof startSdkStack>>

async function readServedBlock({ api }: Agio): Promise<number> {
  const { chains } = await api.chains.list.query()
  return chains.find((each) => each.chainId === chainId)?.blockNumber ?? 0
}
