import type { Chain, RouterFeatures } from '@agio/chain'
import { Async, Network, Timestamp, type Address, type Token } from '@agio/core'
import { z } from 'zod'
import { addressOut, blockTimestamp, chainIdOut, wholeNumber } from '../schema/fields.ts'
import { localExamples } from '../schema/localExamples.ts'
import { namedToken } from '../schema/tokens.ts'
import { procedure, rest } from '../procedure/procedure.ts'

/** How a conversion of a token can be paid. */
const approvalMethods = ['permit', 'permit2', 'approve'] as const

const nativeCurrency = z.object({
  name: z.string().meta({ description: 'Name of the currency', example: 'Sepolia Ether' }),
  symbol: z.string().meta({ description: 'Symbol of the currency', example: 'ETH' }),
  decimals: wholeNumber.meta({ description: 'Fractional digits of its amounts', example: 18 }),
})

const blockExplorer = z.object({
  name: z.string().meta({ description: 'Name of the block explorer', example: 'Basescan' }),
  url: z.string().meta({ description: 'URL of the block explorer', example: 'https://sepolia.basescan.org' }),
})

const token = namedToken
  .extend({
    approvalMethods: z
      .array(z.enum(approvalMethods))
      .optional()
      .meta({
        description:
          'How conversions of the token can be paid: by the `permit` of the token (EIP-2612), by `permit2` for a quote, or by an approval (`approve`). Absent until it has been read',
        example: ['permit', 'permit2', 'approve'],
      }),
  })
  .meta({ id: 'NamedToken', description: 'A token with its name' })

const tokensExample = [
  {
    address: localExamples.tAUD,
    symbol: 'tAUD',
    name: 'Test Australian Dollar',
    decimals: 6,
    approvalMethods: ['permit', 'permit2', 'approve'],
  },
  {
    address: localExamples.tUSD,
    symbol: 'tUSD',
    name: 'Test US Dollar',
    decimals: 6,
    approvalMethods: ['permit2', 'approve'],
  },
]

const servedChain = z
  .object({
    chainId: chainIdOut,
    name: z.string().meta({ description: 'Name of the network', example: 'Base Sepolia' }),
    router: addressOut.meta({
      description: 'Router. Conversions call it, and it is the spender to approve',
      example: localExamples.router,
    }),
    permit2: addressOut.nullable().optional().meta({
      description:
        'Permit2, the contract to approve for tokens without their own permits. Null if the network has no Permit2 or the router does not accept its signatures. Absent until it has been read',
      example: '0x000000000022D473030F116dDEE9F6B43aC78BA3',
    }),
    faucet: addressOut
      .nullable()
      .meta({ description: 'Faucet of test tokens. Null if the network has no faucet', example: localExamples.faucet }),
    referenceToken: addressOut.meta({
      description: 'Reference dollar, the second token of every pool',
      example: localExamples.tUSD,
    }),
    tokens: z.array(token).meta({
      description: 'Tokens of the pools. Empty until the pools have been read for the first time',
      example: tokensExample,
    }),
    pools: wholeNumber.meta({ description: 'Number of readable pools', example: 2 }),
    nativeCurrency: nativeCurrency.describe('Currency in which gas is paid'),
    blockExplorer: blockExplorer.nullable().meta({
      description: 'Block explorer of the network. Null for a local chain, which has no block explorer',
      example: { name: 'Basescan', url: 'https://sepolia.basescan.org' },
    }),
    blockNumber: wholeNumber.meta({ example: 59 }).nullable().meta({
      description: 'Number of the newest block. Null if no node has confirmed a block for SNAPSHOT_MAX_AGE_MS',
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
    scope: 'read',
    openapi: rest('GET /api/v1/chains', 'Chains', {
      operationId: 'listChains',
      summary: 'List the served networks',
      description:
        'Returns each network that the service serves, with its contracts, tokens and newest block. A network whose nodes are unavailable is listed too, with a null block. `/health` reports the cause.',
    }),
  })
  .input(z.strictObject({}).optional())
  .output(
    z
      .object({ chains: z.array(servedChain).describe('Served networks') })
      .meta({ id: 'ChainList', description: 'The networks that the service serves' }),
  )
  .query(async ({ ctx }) => ({
    chains: await Promise.all(Network.chainIds.flatMap((chainId) => ctx.chains[chainId] ?? []).map(describeChain)),
  }))

async function describeChain(chain: Chain): Promise<z.output<typeof servedChain>> {
  const { chainId, name, deployment } = chain
  const { nativeCurrency, blockExplorer } = Network.get(chainId)
  const tokens = await readTokens(chain)
  const payments = await readPayments(chain)
  const head = chain.heads.find()
  return {
    chainId,
    name,
    router: deployment.router,
    ...(payments && { permit2: payments.features.permit2 ? chain.permits.permit2 : null }),
    faucet: deployment.faucet ?? null,
    referenceToken: deployment.referenceToken,
    tokens: tokens.map((token) => describeToken(token, payments)),
    pools: listReadablePools(chain).length,
    nativeCurrency,
    blockExplorer: deployment.local === true ? null : blockExplorer,
    blockNumber: head ? Number(head.number) : null,
    blockTimestamp: head ? Timestamp.fromSeconds(head.timestampSeconds) : null,
  }
}

/**
 * Returns the tokens of the pools of a chain. Reads the pools for the first time if the read at the start failed. After an error,
 * the network has no tokens.
 */
export async function readTokens(chain: Chain): Promise<readonly Token[]> {
  if (chain.pools.getTokens().size === 0 && listReadablePools(chain).length > 0) {
    await Promise.resolve(chain.pools.getSnapshot()).catch(() => {})
  }
  return [...chain.pools.getTokens().values()]
}

// A network whose nodes do not answer must not delay the list.
const paymentsTimeoutMs = 1000

/**
 * Returns the signatures that the router and the tokens support; undefined if they are unknown and cannot be read
 * within a second.
 */
async function readPayments(chain: Chain): Promise<Payments | undefined> {
  const reading = Promise.all([chain.conversions.getRouterFeatures(), readPermits(chain)])
  const payments = reading.then(([features, permits]) => ({ features, permits })).catch(() => undefined)
  return await Async.waitAtMost(paymentsTimeoutMs, payments)
}

type Payments = {
  readonly features: RouterFeatures
  /** The tokens that have their own permits. */
  readonly permits: ReadonlySet<Address>
}

async function readPermits(chain: Chain): Promise<ReadonlySet<Address>> {
  const tokens = [...chain.pools.getTokens().keys()]
  const found = await Promise.all(tokens.map(async (token) => await chain.permits.getTokenPermits(token)))
  return new Set(tokens.filter((_, index) => found[index]?.domain !== undefined))
}

/** Adds the approval methods of a token if they are known. */
function describeToken(token: Token, payments: Payments | undefined) {
  if (!payments) return token
  const { features, permits } = payments
  const isPossible = {
    permit: features.permit && permits.has(token.address),
    permit2: features.permit2,
    approve: true,
  }
  return { ...token, approvalMethods: approvalMethods.filter((method) => isPossible[method]) }
}

function listReadablePools({ deployment, pools }: Chain): readonly Address[] {
  const unreadable = pools.listUnreadable()
  return [...new Set(deployment.pools)].filter((pool) => !unreadable.includes(pool))
}
