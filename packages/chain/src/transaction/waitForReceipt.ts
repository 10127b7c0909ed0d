import { Client } from '@agio/core'
import type { Hex } from 'viem'
import type { Heads } from '../head/createHeads.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { readReceipt, type Receipt } from './readReceipt.ts'

/**
 * Waits until a transaction is mined. Reads its receipt now, and then once at each new block.
 *
 * @returns undefined if it is still pending after the time-out, or when the service stops
 * @throws `svc/invalid-request` once the client has disconnected: the transaction stays sent
 */
export async function waitForReceipt(
  rpc: Rpc,
  hash: Hex,
  { heads, timeoutMs, client }: waitForReceipt.Options,
): Promise<Receipt | undefined> {
  const deadlineMs = performance.now() + timeoutMs
  // The transaction was sent before, so an error of a node does not decide its outcome.
  const read = () => readReceipt(rpc, hash).catch(() => undefined)
  // A block may arrive while the receipt is read, so the head before the read is compared.
  let seen = heads.state().head?.hash
  let receipt = await read()
  while (!receipt && performance.now() < deadlineMs) {
    Client.assertConnected(client)
    if (!(await heads.next(deadlineMs - performance.now(), seen, client?.signal))) break
    seen = heads.state().head?.hash
    receipt = await read()
  }
  // The caller's next request must see this block, not the one before.
  if (receipt && (heads.state().head?.number ?? 0n) < receipt.blockNumber) {
    const refreshed = heads.refresh().catch(() => undefined)
    await (client ? Client.untilAborted(refreshed, client) : refreshed)
  }
  return receipt
}

export declare namespace waitForReceipt {
  type Options = { readonly heads: Heads; readonly timeoutMs: number; readonly client: Client.Client | undefined }
}
