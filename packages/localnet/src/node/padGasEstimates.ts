import { Integer } from '@agio/core'
import type { NetworkHooks, HookManager } from 'hardhat/types/hooks'
import type { JsonRpcResponse } from 'hardhat/types/providers'
import type { NetworkConnection } from 'hardhat/types/network'

// EIP-7825: a transaction above this gas limit is rejected, even if the block has room.
const transactionGasLimit = 2n ** 24n

/**
 * Adds 20 % to each `eth_estimateGas` result of the local nodes, up to the gas limit of the block and of a transaction.
 *
 * Blocks of a local chain may share a timestamp. In the second of the last price update, an estimate finds an unchanged
 * timestamp. One second later, the transaction changes the timestamp and needs more gas.
 */
export function padGasEstimates(hooks: HookManager): void {
  hooks.registerHandlers('network', { onRequest: answerPadded })
}

/** Answers a request to a local node, an estimate with the addition. */
export const answerPadded: NetworkHooks['onRequest'] = async (...[context, connection, request, next]) => {
  const response = await next(context, connection, request)
  const isEstimate = request.method === 'eth_estimateGas' && connection.networkConfig.type === 'edr-simulated'
  return isEstimate ? await pad(response, connection.provider) : response
}

async function pad(response: JsonRpcResponse, provider: NetworkConnection['provider']): Promise<JsonRpcResponse> {
  if ('error' in response) return response
  const estimate = BigInt(response.result as string)
  const { gasLimit } = (await provider.request({ method: 'eth_getBlockByNumber', params: ['pending', false] })) as Block
  const padded = [estimate + Integer.ceilDiv(estimate, 5n), BigInt(gasLimit), transactionGasLimit].reduce(min)
  return { ...response, result: `0x${padded.toString(16)}` }
}

type Block = { readonly gasLimit: string }

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
