import { hexToBigInt, type Hex, type TypedDataDefinition } from 'viem'
import type { BatchCall, BatchRequest } from './createBatches.ts'
import type { Transaction } from './createSender.ts'
import { errorCodes, ProviderError } from './ProviderError.ts'

/** Parses the parameters of `wallet_switchEthereumChain`. */
export function parseChainId([parameter]: readonly unknown[]): number {
  return Number((parameter as { readonly chainId: Hex }).chainId)
}

/** Parses the parameters of `eth_signTypedData_v4`: typed data as an object, or as JSON. */
export function parseTypedData([address, given]: readonly unknown[], chainId: number) {
  const typedData = (typeof given === 'string' ? JSON.parse(given) : given) as TypedDataDefinition
  const { chainId: domainChainId } = typedData.domain ?? {}
  if (domainChainId !== undefined) assertChain(Number(domainChainId), chainId)
  return { address: address as Hex, typedData }
}

/** Parses the parameters of `eth_sendTransaction`. */
export function parseTransaction(
  [parameter]: readonly unknown[],
  chainId: number,
): Transaction & { readonly from: Hex } {
  const { from, to, data, input, ...fields } = parameter as TransactionParameters
  if (fields.chainId !== undefined) assertChain(Number(fields.chainId), chainId)
  return {
    chainId,
    from,
    to,
    data: data ?? input ?? '0x',
    value: toBigInt(fields.value) ?? 0n,
    gas: toBigInt(fields.gas),
    maxFeePerGas: toBigInt(fields.maxFeePerGas),
    maxPriorityFeePerGas: toBigInt(fields.maxPriorityFeePerGas),
    nonce: fields.nonce === undefined ? undefined : Number(fields.nonce),
  }
}

/** Parses the parameters of `wallet_sendCalls`, of version 2.0.0. Calls carry no native currency. */
export function parseBatch([parameter]: readonly unknown[], chainId: number): BatchRequest & { readonly from?: Hex } {
  const { version, id = crypto.randomUUID(), calls, ...fields } = parameter as BatchParameters
  if (version !== '2.0.0') throw new ProviderError(errorCodes.invalidParams, `The version ${version} is not supported.`)
  if (Number(fields.chainId) !== chainId) {
    throw new ProviderError(errorCodes.unsupportedBatchChain, 'The batch is not for the chain of the wallet.')
  }
  if (calls.some(({ to, value = '0x0' }) => !to || hexToBigInt(value) > 0n)) {
    throw new ProviderError(errorCodes.invalidParams, 'A call deploys a contract or carries native currency.')
  }
  const toCall = ({ to, data = '0x' }: BatchParameters['calls'][number]): BatchCall => ({ to, data })
  return { id, chainId, calls: calls.map(toCall), ...(fields.from && { from: fields.from }) }
}

type TransactionParameters = {
  readonly from: Hex
  readonly to?: Hex
  readonly data?: Hex
  readonly input?: Hex
  readonly value?: Hex
  readonly gas?: Hex
  readonly maxFeePerGas?: Hex
  readonly maxPriorityFeePerGas?: Hex
  readonly nonce?: Hex
  readonly chainId?: Hex
}

type BatchParameters = {
  readonly version: string
  readonly id?: string
  readonly chainId: Hex
  readonly from?: Hex
  readonly calls: readonly { readonly to: Hex; readonly data?: Hex; readonly value?: Hex }[]
}

function assertChain(given: number, chainId: number): void {
  if (given === chainId) return
  throw new ProviderError(errorCodes.invalidParams, `The request is for chain ${given}, the wallet is on ${chainId}.`)
}

function toBigInt(quantity: Hex | undefined): bigint | undefined {
  return quantity === undefined ? undefined : hexToBigInt(quantity)
}
