import type { Address } from '@agio/core'
import { encodeFunctionData, erc20Abi } from 'viem'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import type { Reader } from '../reader/createReader.ts'
import { decodeResult } from '../reader/decodeResult.ts'

/** Reads the raw units that a spender may transfer. @throws `svc/upstream-*` */
export async function readAllowance(reader: Reader, { token, owner, spender }: readAllowance.Request): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, spender] })
  const { results } = await reader.aggregate([{ target: token, data }]).catch(rethrowUpstream)
  return decodeResult(results[0], erc20Abi, 'allowance')
}

export declare namespace readAllowance {
  type Request = { readonly token: Address; readonly owner: Address; readonly spender: Address }
}
