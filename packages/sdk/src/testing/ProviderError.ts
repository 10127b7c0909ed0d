/** The error of a wallet, with a code of EIP-1193, EIP-5792 or JSON-RPC. */
export class ProviderError extends Error {
  override readonly name = 'ProviderRpcError'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** The error codes of the test wallet itself. */
export const errorCodes = {
  /** The user rejected the request. */
  rejected: 4001,
  /** The user has not connected this account. */
  unauthorized: 4100,
  unsupportedMethod: 4200,
  /** The node of the chain cannot be reached. */
  chainDisconnected: 4901,
  unknownChain: 4902,
  /** The batch is not for the chain of the wallet. */
  unsupportedBatchChain: 5710,
  duplicateBatch: 5720,
  unknownBatch: 5730,
  /** The user rejected the account code that batches need. */
  upgradeRejected: 5750,
  invalidParams: -32602,
} as const
