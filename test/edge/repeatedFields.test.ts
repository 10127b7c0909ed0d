import { describe, expect, inject, it } from 'vitest'
import { createSender } from './createSender.ts'

describe.each(inject('runtimes'))('repeated fields on $name', (runtime) => {
  const { keyed, json, preview, send, post } = createSender(runtime)

  it('a body with a field twice is rejected, over REST and over tRPC', async () => {
    const twice = `{"amountIn":"1",${JSON.stringify(preview).slice(1)}`
    const shown = 'it has a field twice'
    expect((await post('/api/v1/convert/preview', twice)).body['error']).toContain(shown)
    const single = await post('/trpc/convert.preview', twice)
    const batch = await post('/trpc/convert.preview?batch=1', `{"0":${twice}}`)
    const streamed = await send('/trpc/convert.preview?batch=1', {
      method: 'POST',
      headers: { ...json, 'trpc-accept': 'application/jsonl' },
      body: `{"0":${twice}}`,
    })
    for (const { status, text } of [single, batch, streamed]) {
      expect(status).toBe(400)
      expect(text).toContain('"code":"svc/invalid-request"')
      expect(text).toContain(shown)
    }
  })

  it('a query with a field twice, or with its input twice, is rejected', async () => {
    const once = encodeURIComponent(JSON.stringify(preview))
    const twice = `{"amountIn":"1",${JSON.stringify(preview).slice(1)}`
    const [plain, batch] = [encodeURIComponent(twice), encodeURIComponent(`{"0":${twice}}`)]
    const topics = `[{"topic":"quote",${twice.slice(1)}]`
    const streamed = { 'trpc-accept': 'application/jsonl' }
    for (const [path, field, headers] of [
      [`/trpc/convert.preview?input=${plain}`, 'input', {}],
      [`/trpc/convert.preview?other=1&input=${plain}`, 'input', {}],
      [`/trpc/convert.preview?batch=1&input=${batch}`, 'input', {}],
      [`/trpc/convert.preview?batch=1&input=${batch}`, 'input', streamed],
      [`/trpc/stream.watch?input=${encodeURIComponent(`{"topics":${topics}}`)}`, 'input', {}],
      [`/api/v1/stream?topics=${encodeURIComponent(topics)}`, 'topics', {}],
      [`/trpc/convert.preview?input=${once}&input=${once}`, 'input', {}],
      [`/trpc/convert.preview?other=1&input=${once}&input=${once}`, 'input', {}],
    ] as const) {
      const { status, text } = await send(path, { headers: { ...keyed, ...headers } })
      expect([path, status]).toEqual([path, 400])
      expect(text).toContain('"code":"svc/invalid-request"')
      expect(text).toContain(`"field":"${field}"`)
    }
  })
})
