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
  latenciesMs.sort((one, other) => one - other)
  const quantile = (share: number) => latenciesMs[Math.floor((latenciesMs.length - 1) * share)] ?? Number.NaN
  return {
    perSecond: latenciesMs.length / seconds,
    medianMs: quantile(0.5),
    p99Ms: quantile(0.99),
    maxMs: quantile(1),
  }
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
