import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Answer } from '../harness/startProxy.ts'
import { codeOf, countReads, startUpstreams, type Upstreams } from './startUpstreams.ts'

let upstreams: Upstreams
beforeAll(async () => {
  upstreams = await startUpstreams()
})
beforeEach(() => upstreams.reset())
afterAll(() => upstreams?.[Symbol.asyncDispose]())

function redirectTo(location: string, status: number): Answer {
  // Without the check of the status, this body would be the answer to the whole batch.
  const body = '{"jsonrpc":"2.0","id":null,"error":{"code":3,"message":"execution reverted"}}'
  return (_, response) => void response.writeHead(status, { location }).end(body)
}

it.each([301, 302, 303, 307, 308])(
  'a redirect with status %i is a fault of the node: it is not followed, and the next node is asked',
  async (status) => {
    const { first, second, open } = upstreams
    const [chain, alone] = [open(), open([first.url])]
    await Promise.all([chain.read(), alone.read()])
    first.setAnswer(redirectTo(second.url, status))
    const before = countReads(second)
    expect(await codeOf(alone.read())).toBe('svc/upstream-error')
    expect(countReads(second)).toBe(before)
    expect(await codeOf(chain.read())).toBe('ok')
    expect(countReads(second)).toBe(before + 1)
  },
)
