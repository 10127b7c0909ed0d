import type { LocalChain } from '@agio/localnet'
import { Agent, request } from 'undici'
import { validInputs } from '../harness/validInputs.ts'

/** Sends previews one after the other, at least one, for some time or until some work ends. Returns their number and latency. */
export async function measurePreviews(target: Target, until: number | Promise<unknown>) {
  const agent = new Agent({ connections: 1 })
  const end = typeof until === 'number' ? new Promise((resolve) => setTimeout(resolve, until)) : until
  const ended = new AbortController()
  void end.catch(() => {}).then(() => ended.abort())
  const latenciesMs: number[] = []
  const startedMs = performance.now()
  do latenciesMs.push(await preview(target, agent))
  while (!ended.signal.aborted)
  const seconds = (performance.now() - startedMs) / 1000
  await agent.close()
  const [medianMs, p99Ms, maxMs] = [0.5, 0.99, 1].map((share) => quantile(latenciesMs, share)) as [
    number,
    number,
    number,
  ]
  return { perSecond: latenciesMs.length / seconds, medianMs, p99Ms, maxMs }
}

/** Returns the value that a share of some numbers does not exceed: 0.5 for their median. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * share)] ?? Number.NaN
}

type Target = { readonly url: string; readonly apiKey: string; readonly chain: LocalChain }

/** Returns the latency of one preview, in milliseconds. @throws `Error` if its status is not 200 */
async function preview({ url, apiKey, chain }: Target, dispatcher: Agent): Promise<number> {
  const startedMs = performance.now()
  const { statusCode, body } = await request(`${url}/api/v1/convert/preview`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(validInputs(chain)['convert.preview']),
    dispatcher,
  })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`Cannot preview: ${statusCode} ${text}`)
  return performance.now() - startedMs
}
