import type { Network } from '@agio/core'
import { findTypedData, signTypedData } from '../accounts/signTypedData.ts'
import { signUnsigned } from '../accounts/signUnsigned.ts'

/**
 * Signs a response of the service with a well-known local account: an unsigned transaction, with the next nonce of its local
 * chain, or typed data. For a plan, it signs the first step.
 *
 * @returns the signed transaction, or the signature
 * @throws `Error` if the response holds neither, or if no local node responds for the transaction
 */
export async function signResponse(input: string, { account, rpcUrls }: signResponse.Options): Promise<string> {
  const response = parse(input)
  const typedData = findTypedData(response)
  if (typedData) return await signTypedData(typedData, account)
  return await signUnsigned(response, { accountIndex: account, rpcUrls })
}

export declare namespace signResponse {
  type Options = {
    /** The index of the account. */
    readonly account: number
    /** The node of each local chain. */
    readonly rpcUrls: Readonly<Record<Network.ChainId, string>>
  }
}

function parse(input: string): unknown {
  try {
    return JSON.parse(input)
  } catch (cause) {
    throw new Error('Cannot sign: the input is not JSON', { cause })
  }
}
