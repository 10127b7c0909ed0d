import type { Address } from '@agio/core'
import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import { expect } from 'vitest'
import type { Mined, Sendable, Wallet } from '../harness/Wallet.ts'
import type { Step } from './requestPlan.ts'

/** Approves a spender for any amount of a token, or for some raw units, by a transaction of the wallet. */
export async function approve(
  wallet: Wallet,
  token: Address,
  [spender, amountRaw = maxUint256]: readonly [spender: Address, amountRaw?: bigint],
): Promise<void> {
  await send(wallet, { to: token, data: encodeApproval(spender, amountRaw) })
}

/** Encodes an approval of raw units. */
export function encodeApproval(spender: Address, amountRaw = maxUint256) {
  return encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amountRaw] })
}

/** Sends the transactions of all steps in order, each with the gas limit of the service. */
export async function execute(wallet: Wallet, steps: readonly Step[] = []): Promise<void> {
  expect(steps.length).toBeGreaterThan(0)
  for (const { transaction } of steps) await send(wallet, transaction)
}

/** Sends a transaction that the service or the test has built, and asserts that it succeeds. */
export async function send(wallet: Wallet, transaction: unknown): Promise<Mined> {
  const mined = await wallet.send(transaction as Sendable)
  expect(mined).toMatchObject({ status: 'success' })
  return mined
}
