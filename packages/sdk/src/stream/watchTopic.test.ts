import { describe, expect, it } from 'vitest'
import { AgioError } from '../errors/AgioError.ts'
import { createTopicHub } from './createTopicHub.ts'
import type { StreamHandlers, StreamTopic } from './StreamTopic.ts'
import { watchTopic } from './watchTopic.ts'

const topic: StreamTopic = { topic: 'health' }

function startHub() {
  const handlers = {} as StreamHandlers
  const hub = createTopicHub((own) => {
    Object.assign(handlers, own)
    return { setTopics: () => {} }
  })
  return { hub, handlers }
}

it('an error that the callback throws ends only its iteration, not the shared stream', async () => {
  const { hub, handlers } = startHub()
  const errors: unknown[] = []
  const watch = (onError: (error: unknown) => void) =>
    watchTopic(hub, { topic, toValue: (data) => data }, { onError }).next()
  const failing = watch(() => {
    throw new Error('the callback fails')
  })
  const other = watch((error) => errors.push(error))
  const cut = new AgioError('network/unreachable', 'Cannot reach the service', {
    details: {},
    retryable: true,
  } as never)
  expect(() => handlers.onInterrupt(cut, [topic])).not.toThrow()
  await expect(failing).rejects.toThrow('the callback fails')
  expect(errors).toEqual([cut])
  handlers.onEvent({ topic, id: '', data: { topic: 'health', index: 0 } as never })
  expect((await other).value).toMatchObject({ topic: 'health' })
})

it('an error of the topic that a retry cannot fix is thrown, or reported if the iteration continues', async () => {
  const { hub, handlers } = startHub()
  const codes: string[] = []
  const options = { onError: ({ code }: AgioError) => codes.push(code), continueOnError: true }
  const ending = watchTopic(hub, { topic, toValue: (data) => data }, {}).next()
  const continuing = watchTopic(hub, { topic, toValue: (data) => data }, options).next()
  const error = { success: false, error: 'svc/above-max-origin: Cannot convert', code: 'svc/above-max-origin' }
  const rest = { retryable: false, action: 'fix_input', requestId: 'r', type: '/docs/errors#above-max-origin' }
  const send = (data: object) => handlers.onEvent({ topic, id: '', data: { topic: 'health', ...data } as never })
  send({ index: 0, error: { ...error, ...rest } })
  await expect(ending).rejects.toThrow('Cannot convert')
  send({ index: 0, status: 'ok' })
  expect((await continuing).value).toMatchObject({ status: 'ok' })
  expect(codes).toEqual(['svc/above-max-origin'])
})

describe('a consumer that is slower than its topic', () => {
  const options = { topic, toValue: (data: object) => (data as { readonly index: number }).index, yieldsEach: true }

  /** Watches a topic, takes its first value, and then sends a thousand others. */
  async function fall(signal?: AbortSignal) {
    const { hub, handlers } = startHub()
    const watching = watchTopic(hub, options, { signal })
    const first = watching.next()
    for (let index = 0; index <= 1000; index += 1) {
      handlers.onEvent({ topic, id: '', data: { topic: 'health', index } as never })
      if (index === 0) await first
    }
    handlers.onEnd(new Error('the stream has ended'), [topic])
    return watching
  }

  it('gets the newest 100 values', async () => {
    const values: number[] = []
    const read = async () => {
      for await (const value of await fall()) values.push(value)
    }
    await expect(read()).rejects.toThrow('the stream has ended')
    expect(values).toEqual(Array.from({ length: 100 }, (_, index) => 901 + index))
  })
})
