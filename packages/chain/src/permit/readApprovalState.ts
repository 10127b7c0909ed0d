import type { Address } from '@agio/core'
import { encodeFunctionData, erc20Abi, maxUint256, size, type Hex } from 'viem'
import { encodeApproval } from '../call/encodeApproval.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import { toL1Fee, toL1FeeCall, toUnsignedBytes, type L1Fee } from '../gas/l1DataFee.ts'
import type { ReadBlock, Reader } from '../reader/createReader.ts'
import { decodeResult, findNumber } from '../reader/decodeResult.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { permit2Address } from './permit2.ts'
import { permitAbi } from './permit.ts'
import { answersErc1271 } from './erc1271.ts'

/**
 * Reads the allowances of an owner, its nonce at the token, and its code, which decide how it can pay a spender, and the
 * fee for the bytes of an approval on L1. The reads are made at the newest block and in one round trip.
 *
 * @throws `svc/upstream-*`
 */
export async function readApprovalState(
  { rpc, reader }: readApprovalState.Dependencies,
  { token, owner, spender }: readApprovalState.Options,
): Promise<ApprovalState> {
  const allowanceOf = (by: Address) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, by] })
  const nonces = encodeFunctionData({ abi: permitAbi, functionName: 'nonces', args: [owner] })
  const calls = [allowanceOf(spender), allowanceOf(permit2Address), nonces].map((data) => ({ target: token, data }))
  const approve = toUnsignedBytes({ to: token, data: encodeApproval(spender, maxUint256) })
  const [{ block, results }, code, answers] = await Promise.all([
    reader.aggregateNewest([...calls, toL1FeeCall(approve)]),
    readCode(rpc, owner),
    answersErc1271(rpc, owner),
  ]).catch(rethrowUpstream)
  return {
    allowanceRaw: decodeResult(results[0], erc20Abi, 'allowance'),
    permit2AllowanceRaw: decodeResult(results[1], erc20Abi, 'allowance'),
    nonce: findNumber(results[2]),
    code,
    answersErc1271: code !== 'none' && answers,
    block,
    ...toL1Fee(results[3]),
  }
}

export declare namespace readApprovalState {
  type Dependencies = { readonly rpc: Pick<Rpc, 'client'>; readonly reader: Pick<Reader, 'aggregateNewest'> }
  type Options = { readonly token: Address; readonly owner: Address; readonly spender: Address }
}

/** The allowances and nonces of an owner for one token. */
export type ApprovalState = L1Fee & {
  /** Raw units that the spender may transfer. */
  readonly allowanceRaw: bigint
  /** Raw units that Permit2 may transfer. */
  readonly permit2AllowanceRaw: bigint
  /** The nonce of the owner's next permit; undefined if the token has no nonces. */
  readonly nonce: bigint | undefined
  readonly code: AccountCode
  /** Whether the code of the owner checks signatures; false for an owner without code. */
  readonly answersErc1271: boolean
  readonly block: ReadBlock
}

/** The kind of code of an account: none, the code of another account by EIP-7702, or its own code. */
export type AccountCode = 'none' | 'delegated' | 'contract'

/** Reads which kind of code an account has. @throws the error of a node that cannot answer */
export async function readCode({ client }: Pick<Rpc, 'client'>, address: Address): Promise<AccountCode> {
  // The `getCode` of viem returns the same for an account without code and for some failures.
  const code: Hex = await client.request({ method: 'eth_getCode', params: [address, 'latest'] })
  if (code === '0x') return 'none'
  return size(code) === 23 && code.toLowerCase().startsWith('0xef0100') ? 'delegated' : 'contract'
}
