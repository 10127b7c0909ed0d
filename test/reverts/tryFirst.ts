import { parseTransaction, recoverTransactionAddress, toHex } from 'viem'
import { answerEachCall } from '../stack/answerEachCall.ts'
import type { Answer } from '../stack/startProxy.ts'

/** As a node that runs a transaction before it takes it, and refuses one that would revert, with what it reverts with. */
export function tryFirst(nodeUrl: string): Answer {
  return answerEachCall(nodeUrl, async (call, ask) => {
    if (call.method !== 'eth_sendRawTransaction') return await ask(call)
    const serializedTransaction = call.params?.[0] as `0x02${string}`
    const { to, data, gas = 0n } = parseTransaction(serializedTransaction)
    const from = await recoverTransactionAddress({ serializedTransaction })
    const tried = await ask({ ...call, method: 'eth_call', params: [{ from, to, data, gas: toHex(gas) }, 'latest'] })
    return tried.error ? tried : await ask(call)
  })
}
