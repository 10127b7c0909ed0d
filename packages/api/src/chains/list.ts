import type { Chain } from '@agio/chain'
import { chainIds, getNetwork, toTimestamp, type Address } from '@agio/core'
import { z } from 'zod'
import { addressOut, blockTimestamp, chainIdOut, wholeNumber } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { namedToken } from '../schema/tokens.ts'
import { procedure } from '../trpc/procedure.ts'

const nativeCurrency = z.object({
  name: z.string().meta({ description: 'Name of the currency', example: 'Sepolia Ether' }),
  symbol: z.string().meta({ description: 'Symbol of the currency', example: 'ETH' }),
  decimals: wholeNumber.meta({ description: 'Fractional digits of its amounts', example: 18 }),
})

const blockExplorer = z.object({
  name: z.string().meta({ description: 'Name of the block explorer', example: 'Basescan' }),
  url: z.string().meta({ description: 'URL of the block explorer', example: 'https://sepolia.basescan.org' }),
})

const token = namedToken.meta({ id: 'NamedToken', description: 'A token with its name' })

const tokensExample = [
  { address: localExamples.tAUD, symbol: 'tAUD', name: 'Test Australian Dollar', decimals: 6 },
  { address: localExamples.tUSD, symbol: 'tUSD', name: 'Test US Dollar', decimals: 6 },
]

const servedChain = z
  .object({
    chainId: chainIdOut,
    name: z.string().meta({ description: 'Name of the network', example: 'Base Sepolia' }),
    router: addressOut.meta({
      description: 'Router, which conversions call and which is the spender to approve',
      example: localExamples.router,
    }),
    faucet: addressOut
      .nullable()
      .meta({ description: 'Faucet of test tokens; null if the network has none', example: localExamples.faucet }),
    referenceToken: addressOut.meta({
      description: 'Reference dollar, which is the second token of every pool',
      example: localExamples.tUSD,
    }),
    tokens: z.array(token).meta({
      description: 'Tokens of the pools; empty until the pools could be read for the first time',
      example: tokensExample,
    }),
    pools: wholeNumber.meta({ description: 'Number of pools, without those that cannot be read', example: 2 }),
    nativeCurrency: nativeCurrency.meta({ description: 'Currency that pays for gas' }),
    blockExplorer: blockExplorer.nullable().meta({
      description: 'Block explorer of the network; null for a local chain, whose blocks none shows',
      example: { name: 'Basescan', url: 'https://sepolia.basescan.org' },
    }),
    blockNumber: wholeNumber.meta({ example: 59 }).nullable().meta({
      description: 'Number of the newest block; null while no node has confirmed one for SNAPSHOT_MAX_AGE_MS',
      example: 59,
    }),
    blockTimestamp: blockTimestamp
      .nullable()
      .meta({ description: 'Time of that block, or null', example: '2026-11-21T05:00:00.000Z' }),
  })
  .meta({ id: 'Chain', description: 'A network that the service serves' })

/** Lists the served networks, from memory. */
export const list = procedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/api/v1/chains',
      operationId: 'listChains',
      tags: ['Chains'],
      summary: 'List the served networks',
      description:
        'Returns each network that the service serves, with its contracts, tokens and newest block. It needs no node: a network whose nodes are unavailable is listed too, and its block is null. `/health` has the cause.',
    },
    errors: [],
  })
  .input(z.strictObject({}).optional())
  .output(
    z
      .object({ chains: z.array(servedChain).meta({ description: 'Served networks' }) })
      .meta({ id: 'ChainList', description: 'The networks that the service serves' }),
  )
  .query(async ({ ctx }) => ({
    chains: await Promise.all(chainIds.flatMap((chainId) => ctx.chains[chainId] ?? []).map(describeChain)),
  }))

async function describeChain(chain: Chain): Promise<z.output<typeof servedChain>> {
  const { chainId, name, deployment } = chain
  const { nativeCurrency, blockExplorer } = getNetwork(chainId)
  await readOnce(chain)
  const head = chain.findHead()
  return {
    chainId,
    name,
    router: deployment.router,
    faucet: deployment.faucet ?? null,
    referenceToken: deployment.referenceToken,
    tokens: [...chain.getTokens().values()],
    pools: listReadablePools(chain).length,
    nativeCurrency,
    blockExplorer: deployment.local === true ? null : blockExplorer,
    blockNumber: head ? Number(head.number) : null,
    blockTimestamp: head ? toTimestamp(head.timestampSeconds) : null,
  }
}

/** Reads the pools for the first time, if the read at the start has failed. An error leaves the list without their tokens. */
async function readOnce(chain: Chain): Promise<void> {
  if (chain.getTokens().size > 0 || listReadablePools(chain).length === 0) return
  await Promise.resolve(chain.getSnapshot()).catch(() => {})
}

function listReadablePools({ deployment, listUnreadablePools }: Chain): readonly Address[] {
  const unreadable = listUnreadablePools()
  return [...new Set(deployment.pools)].filter((pool) => !unreadable.includes(pool))
}
