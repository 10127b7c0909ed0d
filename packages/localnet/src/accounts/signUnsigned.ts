import { Network } from '@agio/core'
import { createPublicClient, http, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { getLocalAccount } from './localAccounts.ts'
import { findFirstStep } from './signTypedData.ts'

/**
 * Signs an unsigned transaction of the service, as type 2, with a well-known account and its next nonce.
 *
 * @param response the body of a response: the envelope, its `data`, or the transaction itself. For a plan, the
 * function signs the first step
 * @throws `Error` if the account does not exist, the response has no unsigned transaction, or no node responds
 */
export async function signUnsigned(response: unknown, { accountIndex, rpcUrls }: Options): Promise<Hex> {
  const local = getLocalAccount(accountIndex)
  const { chainId, to, data, value, gasLimit, ...fees } = findUnsigned(response)
  if (!Network.isChainId(chainId)) throw new Error(`Cannot sign: chain ${chainId} is not a local chain`)
  const url = rpcUrls[chainId]
  const client = createPublicClient({ transport: http(url) })
  const [nonce, estimated] = await Promise.all([
    client.getTransactionCount({ address: local.address, blockTag: 'pending' }),
    client.estimateFeesPerGas(),
  ]).catch((cause: unknown) => {
    throw new Error(`Cannot sign: no node responds at ${url} (pnpm start or pnpm localnet starts one)`, { cause })
  })
  return await privateKeyToAccount(local.privateKey).signTransaction({
    type: 'eip1559',
    chainId,
    nonce,
    to,
    data,
    value: BigInt(value ?? 0),
    gas: BigInt(gasLimit),
    maxFeePerGas: BigInt(fees.maxFeePerGas ?? estimated.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(fees.maxPriorityFeePerGas ?? estimated.maxPriorityFeePerGas),
  })
}

type Options = {
  readonly accountIndex: number
  /** The node of each local chain. */
  readonly rpcUrls: Readonly<Record<Network.ChainId, string>>
}

type Unsigned = {
  readonly chainId: number
  readonly to: Hex
  readonly data: Hex
  readonly gasLimit: string
  readonly value?: string
  readonly maxFeePerGas?: string
  readonly maxPriorityFeePerGas?: string
}

function findUnsigned(response: unknown): Unsigned {
  const from = findFirstStep(response) ?? response
  for (const path of [[], ['data'], ['transaction'], ['data', 'transaction']]) {
    const found = path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], from)
    if (typeof found === 'object' && found !== null && 'to' in found && 'gasLimit' in found) return found as Unsigned
  }
  const message = (response as { readonly error?: string } | null)?.error
  throw new Error(message ?? 'Cannot sign: the input has no unsigned transaction')
}
