import { hexToBigInt, keccak256, numberToHex, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { NodeRequest } from '../wallet/connectNode.ts'

/**
 * Creates the part of the wallet that signs transactions and sends them to the nodes, each with the next nonce of its
 * account.
 */
export function createSender(request: (chainId: number) => NodeRequest) {
  const sent = new Map<Hex, Sent>()
  const replacements = new Map<Hex, Hex>()
  let last: Promise<unknown> = Promise.resolve()

  async function sign(transaction: Sent): Promise<Hex> {
    const { account, authorizationList, ...fields } = transaction
    const signed = authorizationList
      ? await account.signTransaction({ ...fields, authorizationList, type: 'eip7702' })
      : await account.signTransaction({ ...fields, type: 'eip1559' })
    await request(fields.chainId)('eth_sendRawTransaction', [signed])
    const hash = keccak256(signed)
    sent.set(hash, transaction)
    return hash
  }

  async function replace(hash: Hex, change: Partial<Sent>): Promise<Hex> {
    const replaced = newest(hash)
    const transaction = sent.get(replaced)
    if (!transaction) throw new Error(`Cannot replace ${hash}: the wallet has not sent it`)
    const replacement = await sign({ ...transaction, ...raiseFees(transaction), ...change })
    replacements.set(replaced, replacement)
    return replacement
  }

  /** Signs a replacement for a pending transaction. The page names its nonce. */
  async function signReplacement(transaction: Sent): Promise<Hex> {
    const [first] = [...sent].find(([, earlier]) => isSameNonce(earlier, transaction)) ?? []
    const replaced = first && newest(first)
    const hash = await sign(transaction)
    if (replaced) replacements.set(replaced, hash)
    return hash
  }

  const newest = (hash: Hex): Hex => {
    const replacement = replacements.get(hash)
    return replacement === undefined ? hash : newest(replacement)
  }

  return {
    /** Returns the hash once the node has accepted the transaction. @throws {ProviderError} the error of the node */
    send(account: PrivateKeyAccount, { delegateTo, ...transaction }: Transaction): Promise<Hex> {
      // Transactions are sent one after the other, because two at once would take the same nonce.
      const sending = last.then(async () => {
        const { chainId } = transaction
        const ask = request(chainId)
        const nonce = transaction.nonce ?? Number(await ask('eth_getTransactionCount', [account.address, 'pending']))
        const prepared = { ...(await complete(account, transaction, ask)), account, nonce }
        if (transaction.nonce !== undefined) return await signReplacement(prepared)
        if (!delegateTo) return await sign(prepared)
        // The transaction uses the nonce, so the authorization has the next one.
        const authorization = { contractAddress: delegateTo, chainId, nonce: nonce + 1 }
        return await sign({ ...prepared, authorizationList: [await account.signAuthorization(authorization)] })
      })
      last = sending.catch(() => {})
      return sending
    },
    /** Sends a transaction again with higher fees and the same nonce. */
    speedUp: (hash: Hex) => replace(hash, {}),
    /** Replaces a transaction with an empty transaction of the same nonce. */
    cancel: (hash: Hex) => replace(hash, { ...cancellation, to: sent.get(newest(hash))?.account.address }),
    /** Returns the hash of the last replacement, or the given hash. */
    newest,
    /** Returns whether the last replacement of a transaction is a cancellation. */
    isCancelled: (hash: Hex) => newest(hash) !== hash && sent.get(newest(hash))?.data === cancellation.data,
  }
}

/** A transaction to send. The node estimates missing gas and fees. */
export type Transaction = {
  readonly chainId: number
  readonly to: Hex | undefined
  readonly data: Hex
  readonly value: bigint
  readonly gas?: bigint | undefined
  readonly maxFeePerGas?: bigint | undefined
  readonly maxPriorityFeePerGas?: bigint | undefined
  /** The nonce of a pending transaction to replace. Default: the next nonce. */
  readonly nonce?: number | undefined
  /** A contract to which the account delegates by EIP-7702 in the same transaction. */
  readonly delegateTo?: Hex | undefined
}

/** Sends transactions and their replacements. */
export type Sender = ReturnType<typeof createSender>

type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }

type Sent = Omit<Transaction, 'delegateTo' | 'nonce' | keyof Fees> &
  Fees & {
    readonly account: PrivateKeyAccount
    readonly nonce: number
    readonly authorizationList?: readonly Awaited<ReturnType<PrivateKeyAccount['signAuthorization']>>[]
  }

// Enough gas for an account with code that receives plain transfers.
const cancellation = { data: '0x', value: 0n, gas: 100_000n } as const

const defaultPriorityFee = 1_000_000n

/** Adds missing gas and fees to a transaction. */
async function complete({ address: from }: PrivateKeyAccount, transaction: Transaction, ask: NodeRequest) {
  const { to, data, value, maxPriorityFeePerGas = defaultPriorityFee } = transaction
  const call = { from, to, data, value: numberToHex(value) }
  const gas = transaction.gas ?? hexToBigInt((await ask('eth_estimateGas', [call])) as Hex)
  const maxFeePerGas = transaction.maxFeePerGas ?? 2n * (await readBaseFee(ask)) + maxPriorityFeePerGas
  return { ...transaction, gas, maxFeePerGas, maxPriorityFeePerGas }
}

async function readBaseFee(ask: NodeRequest): Promise<bigint> {
  const block = (await ask('eth_getBlockByNumber', ['latest', false])) as { readonly baseFeePerGas: Hex }
  return hexToBigInt(block.baseFeePerGas)
}

function isSameNonce(left: Sent, right: Sent): boolean {
  return left.chainId === right.chainId && left.nonce === right.nonce && left.account.address === right.account.address
}

/** Raises fees by half. Nodes accept a replacement with 10% more. */
function raiseFees({ maxFeePerGas, maxPriorityFeePerGas }: Fees): Fees {
  const raise = (fee: bigint) => (fee * 3n) / 2n + 1n
  return { maxFeePerGas: raise(maxFeePerGas), maxPriorityFeePerGas: raise(maxPriorityFeePerGas) }
}
