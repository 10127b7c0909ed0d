import { concatHex, encodeFunctionData, numberToHex, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { NodeRequest } from '../wallet/connectNode.ts'
import type { Sender } from './createSender.ts'
import { errorCodes, ProviderError } from './ProviderError.ts'

/**
 * Creates the EIP-5792 batches of a wallet. Each batch is one transaction of the account, which delegates to a contract
 * by EIP-7702.
 */
export function createBatches({ request, sender, batchContract }: Options) {
  const batches = new Map<string, Batch>()

  const readCode = (chainId: number, address: Hex) => request(chainId)('eth_getCode', [address, 'latest'])
  const isDelegated = async (chainId: number, account: Hex) =>
    (await readCode(chainId, account)) === concatHex(['0xef0100', batchContract]).toLowerCase()

  async function readAtomic(chainId: number, account: Hex): Promise<'supported' | 'ready' | 'unsupported'> {
    if ((await readCode(chainId, batchContract)) === '0x') return 'unsupported'
    return (await isDelegated(chainId, account)) ? 'supported' : 'ready'
  }

  return {
    /** Returns the result of `wallet_getCapabilities`. */
    async readCapabilities(account: Hex, chainIds: readonly number[]): Promise<Record<Hex, unknown>> {
      const toEntry = async (chainId: number) =>
        [numberToHex(chainId), { atomic: { status: await readAtomic(chainId, account) } }] as const
      return Object.fromEntries(await Promise.all(chainIds.map(toEntry)))
    },
    /** Returns whether the wallet has sent a batch with this id. */
    has: (id: string) => batches.has(id),
    /**
     * Sends the calls in one transaction. The same transaction gives the account the code of the batch contract if it is
     * missing.
     */
    async send(account: PrivateKeyAccount, { id, chainId, calls }: BatchRequest): Promise<void> {
      const { address } = account
      const isFirst = !(await isDelegated(chainId, address))
      const hash = await sender.send(account, {
        chainId,
        to: address,
        data: encodeCalls(calls),
        value: 0n,
        gas: batchGas,
        delegateTo: isFirst ? batchContract : undefined,
      })
      batches.set(id, { chainId, hash })
    },
    /** Returns the result of `wallet_getCallsStatus`. @throws {ProviderError} 5730 for an unknown id */
    async readStatus(id: string): Promise<Record<string, unknown>> {
      const batch = batches.get(id)
      if (!batch) throw new ProviderError(errorCodes.unknownBatch, 'Unknown bundle id.')
      const { chainId, hash } = batch
      const receipt = (await request(chainId)('eth_getTransactionReceipt', [sender.newest(hash)])) as Receipt | null
      const status = toStatus(receipt, sender.isCancelled(hash))
      const receipts = receipt && status !== batchStatus.cancelled ? { receipts: [receipt] } : {}
      return { version: '2.0.0', id, chainId: numberToHex(chainId), atomic: true, status, ...receipts }
    },
  }
}

type Options = {
  readonly request: (chainId: number) => NodeRequest
  readonly sender: Sender
  readonly batchContract: Hex
}

/** The batches that a wallet has sent, by id. */
export type Batches = ReturnType<typeof createBatches>

/** A batch to send, with the id that the page or the wallet chose. */
export type BatchRequest = { readonly id: string; readonly chainId: number; readonly calls: readonly BatchCall[] }

/** One call of a batch. */
export type BatchCall = { readonly to: Hex; readonly data: Hex }

type Batch = { readonly chainId: number; readonly hash: Hex }

type Receipt = { readonly status: Hex }

// Written out, because `parseAbi` would load a parser into each page with a test wallet.
const executeAbi = [
  {
    type: 'function',
    name: 'execute',
    stateMutability: 'nonpayable',
    inputs: [
      {
        type: 'tuple[]',
        name: 'calls',
        components: [
          { type: 'address', name: 'target' },
          { type: 'bytes', name: 'data' },
        ],
      },
    ],
    outputs: [],
  },
] as const

// The calls cannot be estimated separately, and not together before the account has the code.
const batchGas = 3_000_000n

/** The codes of EIP-5792. */
const batchStatus = { pending: 100, confirmed: 200, cancelled: 400, reverted: 500 } as const

function encodeCalls(calls: readonly BatchCall[]): Hex {
  const args = [calls.map(({ to, data }) => ({ target: to, data }))] as const
  return encodeFunctionData({ abi: executeAbi, functionName: 'execute', args })
}

function toStatus(receipt: Receipt | null, isCancelled: boolean): number {
  if (!receipt) return batchStatus.pending
  if (isCancelled) return batchStatus.cancelled
  return receipt.status === '0x1' ? batchStatus.confirmed : batchStatus.reverted
}
