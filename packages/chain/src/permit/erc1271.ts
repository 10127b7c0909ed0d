import type { Address } from '@agio/core'
import { encodeFunctionData, numberToHex, parseAbi, size, slice, type Hex } from 'viem'
import { classifyError } from '../errors/classifyError.ts'
import { findRevertData } from '../errors/findRevertData.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import type { Rpc } from '../selection/createRpc.ts'

/** Returns whether an account answers ERC-1271, even with a refusal. @throws `svc/upstream-*` */
export async function answersErc1271(rpc: Pick<Rpc, 'client'>, account: Address): Promise<boolean> {
  const { success, data } = await callErc1271(rpc, { account, hash: probedHash, signature: probedSignature })
  return success ? size(data) >= 32 : data !== '0x'
}

/** Returns whether an account accepts a signature by ERC-1271. @throws `svc/upstream-*` */
export async function acceptsByErc1271(rpc: Pick<Rpc, 'client'>, signed: Erc1271Call): Promise<boolean> {
  const { success, data } = await callErc1271(rpc, signed)
  return success && size(data) >= 32 && slice(data, 0, 4) === magicValue
}

type Erc1271Call = { readonly account: Address; readonly hash: Hex; readonly signature: Hex }

const abi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])

const magicValue = '0x1626ba7e'

const [probedHash, probedSignature] = [numberToHex(0xa610n, { size: 32 }), numberToHex(27n, { size: 65 })]

// The called code may belong to any account. The gas limit also limits the size of the response.
const gas = numberToHex(1_000_000)

async function callErc1271(rpc: Pick<Rpc, 'client'>, { account, hash, signature }: Erc1271Call) {
  const data = encodeFunctionData({ abi, functionName: 'isValidSignature', args: [hash, signature] })
  try {
    const result = await rpc.client.request({ method: 'eth_call', params: [{ to: account, data, gas }, 'latest'] })
    return { success: true, data: result }
  } catch (error) {
    const revert = findRevertData(error)
    if (revert === undefined && !classifyError(error, 'eth_call').isCallError) return rethrowUpstream(error)
    return { success: false, data: revert ?? '0x' } as const
  }
}
