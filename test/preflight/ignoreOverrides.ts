import { answerEachCall } from '../stack/answerEachCall.ts'
import type { Answer } from '../stack/startProxy.ts'

/** Behaves like a node that accepts state overrides for some methods, and ignores them. */
export function ignoreOverrides(nodeUrl: string, ...methods: readonly string[]): Answer {
  return answerEachCall(nodeUrl, async ({ params = [], ...call }, ask) => {
    return await ask({ ...call, params: methods.includes(call.method) ? params.slice(0, 2) : params })
  })
}
