import { Network, Schedule, type Address } from '@agio/core'
import { getAddress, isAddress, type Hex } from 'viem'
import { z } from 'zod'

const address = z
  .string()
  .refine((value) => isAddress(value, { strict: false }), 'must be an address')
  .transform((value): Address => getAddress(value))

const codeHash = z
  .string()
  .regex(/^0x[\da-f]{64}$/i, 'must be a hash of 32 bytes')
  .transform((value) => value.toLowerCase() as Hex)

// A week. An older answer is not a usable price, even if its feed declares a longer age.
const maxFeedAgeSeconds = 604_800

const feed = z.strictObject({
  /** The maximum age of its price; 3600 by default, and never more than the pool enforces. */
  maxAgeSeconds: z.int().min(1).max(maxFeedAgeSeconds).optional(),
  /** The longest time between two updates while its market is open. */
  heartbeatSeconds: z.int().min(1).optional(),
  /** The hours of its market, as text in Pyth's format. */
  schedule: z.string().superRefine(assertSchedule).optional(),
})

function assertSchedule(text: string, { addIssue }: z.RefinementCtx): void {
  try {
    Schedule.parse(text)
  } catch (error) {
    addIssue({ code: 'custom', message: (error as Error).message })
  }
}

const schema = z.strictObject({
  chainId: z.literal(Network.chainIds),
  router: address,
  /** The registry in which the router looks up pools. */
  factory: address.optional(),
  faucet: address.optional(),
  pools: z.array(address).min(1).readonly(),
  /** The dollar token, in which prices are stated. Routes over two pools use it. A pool may also hold two other tokens. */
  referenceToken: address,
  /** A deployed Reader, for nodes that reject state overrides in `eth_call`. */
  reader: address.optional(),
  /** Facts about the price feeds that no contract returns, by address. */
  feeds: z.record(address, feed).optional(),
  /** The keccak256 hash of the code of each contract that we have deployed. A contract without a hash is foreign. */
  codeHashes: z.record(address, codeHash).optional(),
  /** Whether the network is a local chain or a fork, whose blocks no block explorer shows; false by default. */
  local: z.boolean().optional(),
})

/** The addresses of the contracts on one network. Everything else is read from the chain. */
export type Deployment = Readonly<z.infer<typeof schema>>

/** Facts about each price feed. */
export type Feeds = NonNullable<Deployment['feeds']>

/** Parses the JSON of a deployment file. @throws `Error` that names the file and each invalid field */
export function parseDeployment(json: unknown, source: string): Deployment {
  const result = schema.safeParse(json)
  if (result.success) return result.data
  throw new Error(`Cannot use deployment ${source}: ${z.prettifyError(result.error)}`)
}

/** Returns the router, the reader and the pools without a code hash: contracts of others, or of an older file. */
export function listForeign({ router, reader, pools, codeHashes = {} }: Deployment): readonly Address[] {
  const served = [router, ...(reader ? [reader] : []), ...pools]
  return served.filter((address) => codeHashes[address] === undefined)
}
