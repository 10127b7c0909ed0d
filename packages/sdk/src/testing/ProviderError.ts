export { ProviderError } from '../wallet/ProviderError.ts'

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
