import type { Address } from '@agio/core'
import { encodeFunctionData, erc20Abi } from 'viem'
import { readerAbi } from '../abi/index.ts'
import { decodeResult } from '../reader/decodeResult.ts'
import type { Reader } from '../reader/createReader.ts'

/** Reads the balances of an account and its allowance for a spender, at one block, in one call. */
export async function readAccount(reader: Reader, { owner, token, spender }: readAccount.Request): Promise<Account> {
  const { results } = await reader.aggregate([
    { target: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, spender] }) },
    { target: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] }) },
    {
      target: reader.address,
      data: encodeFunctionData({ abi: readerAbi, functionName: 'nativeBalance', args: [owner] }),
    },
  ])
  return {
    allowance: decodeResult(results[0], erc20Abi, 'allowance'),
    balance: decodeResult(results[1], erc20Abi, 'balanceOf'),
    nativeBalance: decodeResult(results[2], readerAbi, 'nativeBalance'),
  }
}

export declare namespace readAccount {
  type Request = { readonly owner: Address; readonly token: Address; readonly spender: Address }
}

export type Account = {
  /** Raw units of the token that the spender may transfer. */
  readonly allowance: bigint
  /** Raw units of the token. */
  readonly balance: bigint
  /** Wei. */
  readonly nativeBalance: bigint
}
