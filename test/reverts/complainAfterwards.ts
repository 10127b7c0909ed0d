import { answerEachCall } from '../stack/answerEachCall.ts'
import type { Answer } from '../stack/startProxy.ts'

/** As a node that takes a transaction and mines it, and answers an error all the same if it reverted. */
export function complainAfterwards(nodeUrl: string): Answer {
  return answerEachCall(nodeUrl, async (call, ask) => {
    const reply = await ask(call)
    if (call.method !== 'eth_sendRawTransaction') return reply
    return { id: call.id, error: { code: 3, message: 'execution reverted', data: '0x' } }
  })
}
