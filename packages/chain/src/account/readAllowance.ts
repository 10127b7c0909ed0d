import type { Address } from '@agio/core'
import { encodeFunctionData, erc20Abi } from 'viem'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import type { ReadBlock, Reader } from '../reader/createReader.ts'
import { decodeResult } from '../reader/decodeResult.ts'

/** Reads the raw units that a spender may transfer, at the newest block. @throws `svc/upstream-*` */
export async function readAllowance(
  reader: Reader,
  { token, owner, spender }: readAllowance.Request,
): Promise<Allowance> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, spender] })
  const { block, results } = await reader.aggregateNewest([{ target: token, data }]).catch(rethrowUpstream)
  return { allowanceRaw: decodeResult(results[0], erc20Abi, 'allowance'), block }
}

export declare namespace readAllowance {
  type Request = { readonly token: Address; readonly owner: Address; readonly spender: Address }
}

/** Raw units that a spender may transfer, and the block that they were read at. */
export type Allowance = { readonly allowanceRaw: bigint; readonly block: ReadBlock }
