import { chainIds, type Address, type ChainId } from '@agio/core'
import { getAddress, isAddress } from 'viem'
import { z } from 'zod'

const address = z
  .string()
  .refine((value) => isAddress(value, { strict: false }), 'must be an address')
  .transform((value): Address => getAddress(value))

const schema = z.strictObject({
  chainId: z.literal(chainIds),
  router: address,
  faucet: address.optional(),
  pools: z.array(address).min(1),
  referenceToken: address,
  reader: address.optional(),
})

/** What is deployed on one network. All else is read from the chain. */
export type Deployment = {
  readonly chainId: ChainId
  readonly router: Address
  readonly faucet?: Address | undefined
  readonly pools: readonly Address[]
  /** The dollar token that every pool has as its quote. */
  readonly referenceToken: Address
  /** A deployed Reader, for nodes that refuse state overrides in `eth_call`. */
  readonly reader?: Address | undefined
}

/**
 * Reads a deployment file's JSON.
 *
 * @param source the file's name, for the error
 * @throws `Error` that names the file and each bad field
 */
export function parseDeployment(json: unknown, source: string): Deployment {
  const result = schema.safeParse(json)
  if (result.success) return result.data
  throw new Error(`Cannot use deployment ${source}: ${z.prettifyError(result.error)}`)
}
