import { parseTransaction, recoverTransactionAddress, toHex } from 'viem'
import { answerEachCall } from '../harness/answerEachCall.ts'
import type { Answer } from '../harness/startProxy.ts'

/** Answers as a node that simulates a transaction, and rejects one that would revert with its revert data. */
export function simulateFirst(nodeUrl: string): Answer {
  return answerEachCall(nodeUrl, async (call, callNode) => {
    if (call.method !== 'eth_sendRawTransaction') return await callNode(call)
    const serializedTransaction = call.params?.[0] as `0x02${string}`
    const { to, data, gas = 0n } = parseTransaction(serializedTransaction)
    const from = await recoverTransactionAddress({ serializedTransaction })
    const simulated = await callNode({
      ...call,
      method: 'eth_call',
      params: [{ from, to, data, gas: toHex(gas) }, 'latest'],
    })
    return simulated.error ? simulated : await callNode(call)
  })
}
