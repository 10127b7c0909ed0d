import type { TypedData, WalletCall, WalletTransaction } from '../api/schemas.ts'
import type { Address, Hex } from './Wallet.ts'

/**
 * A wallet with one account, as a conversion uses it. Methods that prompt the user say so; each method throws `convert/aborted`
 * once the signal is aborted, and `wallet/failed` for what the wallet or its node fails with.
 */
export type WalletSession = {
  /** The account that signs and pays, in the letter case of the wallet. */
  readonly account: Address
  /**
   * Asserts that the wallet still has the account, and is connected to a network.
   *
   * @throws `wallet/account-changed`, `wallet/wrong-chain`
   */
  assertUnchanged(chainId: number): Promise<void>
  getChainId(): Promise<number>
  /**
   * Connects the wallet to a network. Prompts.
   *
   * @throws `wallet/rejected`; `wallet/wrong-chain` if the wallet does not know the network, or stays where it is
   */
  switchChain(chainId: number): Promise<void>
  /** Whether the wallet makes calls atomic on a network, or can be made to. False if it does not respond within two seconds. */
  canBatch(chainId: number): Promise<boolean>
  /**
   * Returns the signature of typed data. Prompts.
   *
   * @throws `wallet/rejected`
   */
  signTypedData(typedData: TypedData): Promise<Hex>
  /**
   * Sends a transaction, and returns its hash. Prompts.
   *
   * @param nonce the nonce of a replacement; the wallet chooses the next one without it
   * @throws `wallet/rejected`, `wallet/wrong-chain`
   */
  sendTransaction(transaction: WalletTransaction, nonce?: number): Promise<Hex>
  /**
   * Sends calls as one atomic batch, and returns its id, which is the given one unless the wallet chose another. A batch whose id
   * the wallet has already (5720) is not sent again. Prompts.
   *
   * @throws `wallet/rejected`, `wallet/wrong-chain`
   */
  sendCalls(batch: CallBatch): Promise<string>
  /** Returns the state of a batch; undefined if the wallet does not know the id (5730). */
  getCalls(id: string): Promise<CallsState | undefined>
  /** Counts the transactions that the account has sent: mined ones up to a block, or with those that wait. */
  countTransactions(block: number | 'latest' | 'pending'): Promise<number>
  /** Returns the newest block, without its transactions. */
  getHead(): Promise<Pick<WalletBlock, 'number' | 'timestamp'>>
  /** Returns a block with its transactions. @throws `wallet/failed` if the node does not have it */
  getBlock(block: number): Promise<WalletBlock>
  /** Whether the account has code: it may be sent for by other accounts. */
  hasCode(): Promise<boolean>
  /** Lists the hashes of the transactions that moved a token of the account, since a block, the oldest first. */
  listTransfers(token: Address, fromBlock: number): Promise<readonly Hex[]>
  /** Returns a transaction; undefined if the node of the wallet does not know it. */
  getTransaction(hash: Hex): Promise<FoundTransaction | undefined>
}

/** Calls for `wallet_sendCalls` (EIP-5792). */
export type CallBatch = {
  /** An id of the app's own, by which a batch is found again. */
  readonly id: string
  readonly chainId: number
  readonly calls: readonly WalletCall[]
}

/** The state of a batch. */
export type CallsState = {
  /** `failed`: it reverted, or was not sent. */
  readonly status: 'pending' | 'confirmed' | 'failed'
  /** Hash of the last transaction of the batch, which is the only one of an atomic batch; once it is mined. */
  readonly transactionHash?: Hex | undefined
}

/** A block, with its transactions in order. */
export type WalletBlock = {
  readonly number: number
  /** Unix seconds. */
  readonly timestamp: number
  readonly transactions: readonly BlockTransaction[]
}

/** A transaction of a block. All hex text is in lower case. */
export type BlockTransaction = {
  readonly hash: Hex
  readonly from: Address
  /** Undefined for the creation of a contract. */
  readonly to?: Address | undefined
  readonly input: Hex
  readonly nonce: number
}

/** A transaction that a node knows. */
export type FoundTransaction = BlockTransaction & {
  /** Native currency that it sends, in wei; undefined if the node does not return it. */
  readonly valueWei?: bigint | undefined
  /** Number of its block; undefined until it is mined. */
  readonly blockNumber?: number | undefined
}
