import { answerEachCall } from '../stack/answerEachCall.ts'
import type { Answer } from '../stack/startProxy.ts'

/** As a node that leaves the data of a revert away, and tells a sentence in its message. */
export function tellByWords(nodeUrl: string): Answer {
  return answerEachCall(nodeUrl, async (call, ask) => {
    const reply = await ask(call)
    if (!reply.error) return reply
    const sentence = /reverted with reason string '(.*)'/.exec((reply.error as Error).message)?.[1]
    return { id: reply.id, error: { code: -32000, message: `execution reverted${sentence ? `: ${sentence}` : ''}` } }
  })
}
