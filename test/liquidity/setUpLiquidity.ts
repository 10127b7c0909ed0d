import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { poolAbi } from '@agio/chain/abi'
import { Network, type Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { parseAbi, parseEther } from 'viem'
import { afterAll, beforeAll, expect } from 'vitest'
import { createProvider, toGains, type Preview } from './createProvider.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { startProxiedStack, type ProxiedStack } from '../harness/startProxiedStack.ts'
import type { Proxy } from '../harness/startProxy.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { writeContract } from '../harness/writeContract.ts'

/** The transports of the API. */
export const transports = ['REST', 'tRPC'] as const

const operations = ['liquidity.previewDeposit', 'liquidity.previewWithdraw'] as const

/** Each operation over each transport. */
export const everyOperation = transports.flatMap((transport) =>
  operations.map((operation) => ({ transport, operation })),
)

type Transport = (typeof transports)[number]

/** Starts a stack with an empty pool on each chain before the tests of a file, and stops it afterwards. */
export function setUpLiquidity() {
  let stack: ProxiedStack
  let proxy: Proxy
  const emptyPools = {} as Record<Network.ChainId, Address>
  beforeAll(async () => {
    stack = await startProxiedStack({
      prepare: async ({ chains, deploymentsDir }) => {
        for (const chainId of Network.chainIds)
          emptyPools[chainId] = await deployEmptyPool(chains[chainId], deploymentsDir)
        // A reverted chain on which no block is mined differs from a lagging node only by the age of the head.
        return { snapshotMaxAgeMs: 2000, maxBlockAgeMs: 300_000 }
      },
    })
    proxy = stack.proxies[84532]
  })

  afterAll(() => stack?.[Symbol.asyncDispose]())

  function subject(chainId: Network.ChainId) {
    const chain = stack.localnet.chains[chainId]
    return { chain, owner: connectOwner(chain), pool: chain.pools['tAUD/tUSD'] }
  }

  /** Requests a preview of the tAUD/tUSD pool. */
  async function requestOperation(
    chainId: Network.ChainId,
    { transport, operation }: (typeof everyOperation)[number],
    amount: string,
  ) {
    const input = operation === 'liquidity.previewDeposit' ? { value: amount } : { lpAmount: amount }
    return await stack.callers[transport](operation, { chainId, poolAddress: subject(chainId).pool, ...input })
  }

  async function previewDeposit(
    chainId: Network.ChainId,
    { transport, ...input }: { readonly transport: Transport; readonly poolAddress: Address; readonly value: string },
  ) {
    await waitForBlock(stack.url, subject(chainId).chain)
    const { data } = await stack.callers[transport]('liquidity.previewDeposit', { chainId, ...input })
    return data as unknown as Preview & { readonly value: string }
  }

  async function previewWithdraw(
    chainId: Network.ChainId,
    {
      transport,
      ...input
    }: { readonly transport: Transport; readonly poolAddress: Address; readonly lpAmount: string },
  ) {
    await waitForBlock(stack.url, subject(chainId).chain)
    const { data } = await stack.callers[transport]('liquidity.previewWithdraw', { chainId, ...input })
    return data as unknown as Preview
  }

  /** Transfers LP tokens of the owner to a new wallet, and withdraws them. */
  async function expectWithdrawal(chainId: Network.ChainId, transport: Transport): Promise<void> {
    const { chain, owner, pool: poolAddress } = subject(chainId)
    const provider = await createProvider(chain, stack.callers[transport])
    const transfer = { abi: poolAbi, functionName: 'transfer', args: [provider.address, 10n ** 21n] } as const
    await writeContract(owner.client, { address: poolAddress, ...transfer })
    const withdrawal = await previewWithdraw(chainId, { transport, poolAddress, lpAmount: '1000' })
    expect(await provider.withdraw(withdrawal)).toEqual(toGains(withdrawal, 1n))
  }

  async function readUpdatedAt(chainId: Network.ChainId): Promise<string> {
    const { chain, owner } = subject(chainId)
    const abi = parseAbi([
      'function latestRoundData() view returns (uint80, int256, uint256, uint256 updatedAt, uint80)',
    ])
    const oracle = { address: chain.oracles.tAUD, abi, functionName: 'latestRoundData' } as const
    const [, , , updatedAtSeconds] = await owner.client.readContract(oracle)
    return new Date(Number(updatedAtSeconds) * 1000).toISOString()
  }

  return {
    get stack() {
      return stack
    },
    get proxy() {
      return proxy
    },
    emptyPools,
    subject,
    requestOperation,
    previewDeposit,
    previewWithdraw,
    expectWithdrawal,
    readUpdatedAt,
  }
}

/** Deploys a second tAUD/tUSD pool without liquidity, and adds it to the deployment file. */
async function deployEmptyPool(chain: LocalChain, deploymentsDir: string): Promise<Address> {
  const [owner, { tAUD: base, tUSD: quote }] = [connectOwner(chain), chain.tokens]
  const readerOf = (token: Address) => {
    const pool = { address: chain.pools['tAUD/tUSD'], abi: poolAbi } as const
    return owner.client.readContract({ ...pool, functionName: 'assimilator', args: [token] })
  }
  const [baseReader, quoteReader] = await Promise.all([readerOf(base), readerOf(quote)])
  const parameters = { alpha: parseEther('0.5'), epsilon: parseEther('0.0005'), owner: owner.address }
  const pool = await owner.deploy('Pool', [
    { name: 'Empty', symbol: 'LP0', base, quote, baseReader, quoteReader, ...parameters },
  ])
  const path = join(deploymentsDir, `${chain.chainId}.json`)
  const deployment = JSON.parse(await readFile(path, 'utf8')) as LocalChain['deployment']
  await writeFile(path, JSON.stringify({ ...deployment, pools: [...deployment.pools, pool] }))
  return pool
}
