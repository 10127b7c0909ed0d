import type { Address, ServiceError } from '@agio/core'
import { encodeFunctionData, erc20Abi, hexToNumber, type Hex } from 'viem'
import { readerAbi } from '../abi/index.ts'
import { toL1Fee, toL1FeeCall, type L1Fee } from '../gas/l1DataFee.ts'
import { decodeResult } from '../reader/decodeResult.ts'
import type { Reader, ReadBlock } from '../reader/createReader.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { findTokenRefusal, type TokenQuestion } from './tokenRefusal.ts'

/**
 * Reads the balances of an account, its allowance, the L1 fee of its transaction, and what the tokens answer to questions,
 * at one block, in one call.
 */
export async function readAccount(
  reader: Reader,
  { owner, token, spender, serialized, questions }: readAccount.Options,
): Promise<Account> {
  const { results } = await reader.aggregate([
    { target: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, spender] }) },
    { target: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] }) },
    {
      target: reader.address,
      data: encodeFunctionData({ abi: readerAbi, functionName: 'nativeBalance', args: [owner] }),
    },
    toL1FeeCall(serialized),
    ...questions.map(({ call }) => call),
  ])
  const refusal = findTokenRefusal(questions, results.slice(4))
  return {
    allowanceRaw: decodeResult(results[0], erc20Abi, 'allowance'),
    balanceRaw: decodeResult(results[1], erc20Abi, 'balanceOf'),
    nativeBalanceWei: decodeResult(results[2], readerAbi, 'nativeBalance'),
    ...toL1Fee(results[3]),
    ...(refusal && { refusal }),
  }
}

export declare namespace readAccount {
  type Options = {
    readonly owner: Address
    readonly token: Address
    readonly spender: Address
    /** The bytes of the transaction. */
    readonly serialized: Hex
    readonly questions: readonly TokenQuestion[]
  }
}

/** The token and native balances of an account, and its allowance for a spender. */
export type Account = L1Fee & {
  /** The amount that the spender may transfer. */
  readonly allowanceRaw: bigint
  readonly balanceRaw: bigint
  readonly nativeBalanceWei: bigint
  /** Why a token refuses the transfers of the conversion, as the token itself says. */
  readonly refusal?: ServiceError
}

/** Reads the raw units that a spender may transfer, at the newest block. @throws `svc/upstream-*` */
export async function readAllowance(
  reader: Reader,
  { token, owner, spender }: readAllowance.Options,
): Promise<Allowance> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, spender] })
  const { block, results } = await reader.aggregateNewest([{ target: token, data }]).catch(rethrowUpstream)
  return { allowanceRaw: decodeResult(results[0], erc20Abi, 'allowance'), block }
}

export declare namespace readAllowance {
  type Options = { readonly token: Address; readonly owner: Address; readonly spender: Address }
}

/** Raw units that a spender may transfer, and the block that they were read at. */
export type Allowance = { readonly allowanceRaw: bigint; readonly block: ReadBlock }

/**
 * Reads the next nonce of an account, with and without its pending transactions. Some nodes cannot count pending
 * transactions, or count less than the mined ones. The mined transactions count then. @throws `svc/upstream-*`
 */
export async function readNonces({ client }: Pick<Rpc, 'client'>, address: Address): Promise<Nonces> {
  const nonceAt = async (tag: 'pending' | 'latest') =>
    hexToNumber(await client.request({ method: 'eth_getTransactionCount', params: [address, tag] }))
  const [pending, latest] = await Promise.all([nonceAt('pending').catch(() => 0), nonceAt('latest')]).catch(
    rethrowUpstream,
  )
  return { pending: Math.max(pending, latest), latest }
}

/** The next nonce of an account: `pending` counts its pending transactions, `latest` counts only mined transactions. */
export type Nonces = { readonly pending: number; readonly latest: number }
