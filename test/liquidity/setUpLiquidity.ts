import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { poolAbi } from '@agio/chain/abi'
import { Network, type Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { expect } from 'vitest'
import { createProvider, toGains, type Preview } from './createProvider.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { deployTwinPool } from '../harness/deployTwinPool.ts'
import { setUp } from '../harness/setUp.ts'
import { startProxiedStack } from '../harness/startProxiedStack.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { writeContract } from '../harness/writeContract.ts'

/** The operations, which test/conformance calls over both transports. */
export const operations = ['liquidity.previewDeposit', 'liquidity.previewWithdraw'] as const

type Operation = (typeof operations)[number]

/** Starts a stack with an empty pool on each chain before the tests of a file, and stops it afterwards. */
export function setUpLiquidity() {
  const emptyPools = {} as Record<Network.ChainId, Address>
  const stack = setUp(() =>
    startProxiedStack({
      prepare: async ({ chains, deploymentsDir }) => {
        for (const chainId of Network.chainIds)
          emptyPools[chainId] = await deployEmptyPool(chains[chainId], deploymentsDir)
        // A reverted chain on which no block is mined differs from a lagging node only by the age of the head.
        return { snapshotMaxAgeMs: 2000, maxBlockAgeMs: 300_000 }
      },
    }),
  )

  function subject(chainId: Network.ChainId) {
    const chain = stack.localnet.chains[chainId]
    return { chain, owner: connectOwner(chain), pool: chain.pools['tAUD/tUSD'], emptyPool: emptyPools[chainId] }
  }

  /** Requests a preview of an amount, of the tAUD/tUSD pool by default. */
  async function request(operation: Operation, amount: string, pool: Subject) {
    const { chainId, poolAddress = subject(chainId).pool } = pool
    const input = operation === 'liquidity.previewDeposit' ? { value: amount } : { lpAmount: amount }
    return await stack.callers.REST(operation, { chainId, poolAddress, ...input })
  }

  /** Returns a preview at the newest block. */
  async function preview(operation: Operation, amount: string, pool: Subject) {
    await waitForBlock(stack.url, subject(pool.chainId).chain)
    return (await request(operation, amount, pool)).data as unknown as Preview & { readonly value: string }
  }

  /** Transfers LP tokens of the owner to a new wallet, and withdraws them. */
  async function expectWithdrawal(chainId: Network.ChainId): Promise<void> {
    const { chain, owner, pool } = subject(chainId)
    const provider = await createProvider(chain, stack.callers.REST)
    const transfer = { abi: poolAbi, functionName: 'transfer', args: [provider.address, 10n ** 21n] } as const
    await writeContract(owner.client, { address: pool, ...transfer })
    const withdrawal = await preview('liquidity.previewWithdraw', '1000', { chainId })
    expect(await provider.withdraw(withdrawal)).toEqual(toGains(withdrawal, 1n))
  }

  return { stack, subject, request, preview, expectWithdrawal }
}

/** A pool of a chain. Default: its tAUD/tUSD pool. */
type Subject = { readonly chainId: Network.ChainId; readonly poolAddress?: Address }

/** Deploys a second tAUD/tUSD pool without liquidity, and adds it to the deployment file. */
async function deployEmptyPool(chain: LocalChain, deploymentsDir: string): Promise<Address> {
  const owner = connectOwner(chain)
  const pool = await deployTwinPool(owner, chain, { name: 'tAUD/tUSD', contract: 'Pool', amount: '0' })
  const path = join(deploymentsDir, `${chain.chainId}.json`)
  const deployment = JSON.parse(await readFile(path, 'utf8')) as LocalChain['deployment']
  await writeFile(path, JSON.stringify({ ...deployment, pools: [...deployment.pools, pool] }))
  return pool
}
