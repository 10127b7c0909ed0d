import type { TypedData, WalletCall, WalletTransaction } from '../api/schemas.ts'
import type { Address, Hex, WalletCapabilities } from './Wallet.ts'

/**
 * A wallet with one account, as used by a conversion. Methods that prompt the user say so. Each method throws
 * `convert/aborted` once the signal is aborted, and `wallet/failed` for an error of the wallet or its node.
 */
export type WalletSession = {
  /** The account that signs and pays, in the letter case of the wallet. */
  readonly account: Address
  /** Whose node is read: the node of the wallet, or the node that the application configured. */
  readonly readsFrom: 'wallet' | 'node'
  /** The provider that is read. */
  readonly reader: object
  /**
   * Asserts that the wallet has the same account and is connected to a network.
   *
   * @throws `wallet/account-changed`, `wallet/wrong-chain`
   */
  assertUnchanged(chainId: number): Promise<void>
  readChainId(): Promise<number>
  /**
   * Connects the wallet to a network. Prompts.
   *
   * @throws `wallet/rejected`; `wallet/wrong-chain` if the wallet does not know the network or does not switch
   */
  switchChain(chainId: number): Promise<void>
  /**
   * Returns whether the wallet supports atomic calls on a network, or can be upgraded to. False if it does not respond
   * within two seconds.
   */
  canBatch(chainId: number): Promise<boolean>
  /**
   * Returns the signature of typed data. Prompts.
   *
   * @throws `wallet/rejected`
   */
  signTypedData(typedData: TypedData): Promise<Hex>
  /** Whether the wallet chooses the fees of a transaction. A replacement has its own fees. */
  readonly choosesFees: boolean
  /** Returns the gas of a call, or undefined if the node has no estimate, for example because the call reverts. */
  estimateGas(transaction: WalletTransaction): Promise<bigint | undefined>
  /** Returns the fees of the market. */
  readFeeMarket(): Promise<FeeMarket>
  /**
   * Sends a transaction. Prompts. Without a nonce, a wallet that chooses the fees gets none. Returns the 32 bytes that
   * the wallet returned, which may be the id of a proposal or of a user operation instead of a transaction hash, or
   * undefined if the wallet returned anything else, such as the id of a queue.
   *
   * @param nonce the nonce of a replacement. Without it the wallet chooses the next nonce
   *
   * @throws `wallet/rejected`, `wallet/wrong-chain`
   */
  sendTransaction(transaction: WalletTransaction, nonce?: number): Promise<Hex | undefined>
  /**
   * Sends calls as one atomic batch and returns its id, which is the given id unless the wallet chose another. A batch
   * with an id that the wallet already knows (5720) is not sent again. Prompts.
   *
   * @throws `wallet/rejected`, `wallet/wrong-chain`
   */
  sendCalls(batch: CallBatch): Promise<string>
  /** Returns the state of a batch, or undefined if the wallet does not know the id (5730). */
  findCalls(id: string): Promise<CallsState | undefined>
  /** Counts the transactions of the account: mined up to a block, or including pending transactions. */
  countTransactions(block: number | 'latest' | 'pending'): Promise<number>
  /** Returns a block without its transactions: the newest, the newest safe or finalized block, or a block by number. */
  readHead(block?: number | 'latest' | 'safe' | 'finalized'): Promise<Omit<WalletBlock, 'transactions'>>
  /**
   * Returns what a call returns at the newest block.
   *
   * @throws `wallet/cannot-read` if the wallet does not pass calls to its node; `wallet/failed` if the call reverts
   */
  call(call: NodeCall): Promise<Hex>
  /** Returns a block with its transactions. @throws `wallet/failed` if the node does not have it */
  readBlock(block: number): Promise<WalletBlock>
  /** Returns whether an account has code. Default: the account of the wallet, for which others may then send. */
  hasCode(address?: Address): Promise<boolean>
  /**
   * Lists the transactions that moved a token of the account, oldest first: of some blocks, both ends included, or of a
   * block by its hash, which fails at a node that does not have the block.
   */
  listTransfers(
    token: Address,
    blocks: { readonly from: number; readonly to: number } | { readonly hash: Hex },
  ): Promise<readonly Transfer[]>
  /** Returns whether the node lists any logs of a contract in a block. */
  hasLogs(address: Address, block: number): Promise<boolean>
  /** Returns a transaction, or undefined if the node of the wallet does not know it. */
  findTransaction(hash: Hex): Promise<FoundTransaction | undefined>
  /** Returns the receipt of a transaction, or undefined if the node has not seen it in a block. */
  findReceipt(hash: Hex): Promise<NodeReceipt | undefined>
}

/** A call for `eth_call`. */
export type NodeCall = { readonly from?: Address | undefined; readonly to: Address; readonly data: Hex }

/** The receipt of a mined transaction. All hex strings are in lower case. */
export type NodeReceipt = {
  readonly isSuccess: boolean
  readonly blockNumber: number
  readonly blockHash: Hex
  readonly gasUsed: bigint
  readonly logs: readonly ReceiptLog[]
}

/** An event of a receipt. */
export type ReceiptLog = { readonly address: Address; readonly topics: readonly Hex[]; readonly data: Hex }

/** Fees of the market. */
export type FeeMarket = {
  /** Base fee of the next block, and median priority fee of the last five blocks. */
  readonly newest: MarketFees
  /** Highest base fee of the next block and the last 20 blocks, and highest median priority fee of five of them in a row. */
  readonly highest: MarketFees
}

/** In wei per gas. */
export type MarketFees = { readonly baseFeePerGas: bigint; readonly medianTip: bigint }

/** Calls for `wallet_sendCalls` (EIP-5792). */
export type CallBatch = {
  /** An id chosen by the app, to find the batch again. */
  readonly id: string
  readonly chainId: number
  readonly calls: readonly WalletCall[]
  /** Sent as optional, if the wallet reports it. */
  readonly capabilities?: WalletCapabilities | undefined
}

/** What a wallet says about a batch. The chain decides whether the batch was mined. */
export type CallsState = {
  /** Whether the wallet reports by a standard code that the batch reverted or was not sent. */
  readonly isFailed: boolean
  /** The 32 bytes that the wallet reports as the hash of the last transaction. An atomic batch has only one. */
  readonly transactionHash?: Hex | undefined
}

/** A transaction that moved a token, in its block. */
export type Transfer = { readonly transactionHash: Hex; readonly blockHash: Hex }

/** A block, with its transactions in order. */
export type WalletBlock = {
  readonly number: number
  readonly hash: Hex
  /** Unix seconds. */
  readonly timestamp: number
  readonly transactions: readonly BlockTransaction[]
}

/** A transaction of a block. All hex strings are in lower case. */
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
  /** Sent native currency in wei. Undefined if the node does not return it. */
  readonly valueWei?: bigint | undefined
  /** Gas limit. Undefined if the node does not return it, like the fees. */
  readonly gas?: bigint | undefined
  /** Wei per gas. */
  readonly maxFeePerGas?: bigint | undefined
  /** Wei per gas. */
  readonly maxPriorityFeePerGas?: bigint | undefined
  /** Number of its block. Undefined until it is mined. */
  readonly blockNumber?: number | undefined
}
