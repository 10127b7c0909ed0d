import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import { sendRaw } from './sendRaw.ts'
import { adminKey, settingsFor } from '../harness/settingsFor.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { setUp } from '../harness/setUp.ts'

const localnet = setUp(() => startTestLocalnet({ onDisk: true, blockIntervalMs: 3_600_000 }))

const host = 'Host: a\r\n'
const json = `X-Admin-Key: ${adminKey}\r\nContent-Type: application/json\r\n`

/** A request to create a key, which ends its connection. */
function toPost(headers: string): string {
  return `POST /api/v1/admin/keys HTTP/1.1\r\n${host}${headers}Content-Length: 2\r\nConnection: close\r\n\r\n{}`
}

/** What both runtimes let the service answer. */
const answeredEverywhere = {
  'an invalid host': [400, `GET /health HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n`],
  'a port above 65535': [400, `GET /health HTTP/1.1\r\nHost: a:65536\r\nConnection: close\r\n\r\n`],
  'an empty port': [400, `GET /health HTTP/1.1\r\nHost: a:\r\nConnection: close\r\n\r\n`],
  'a dot segment': [400, `GET /docs/../health HTTP/1.1\r\n${host}Connection: close\r\n\r\n`],
  'an encoded dot segment': [400, `GET /api/v1/pools/%2E. HTTP/1.1\r\n${host}Connection: close\r\n\r\n`],
  'a backslash': [400, `GET /api/v1\\pools HTTP/1.1\r\n${host}Connection: close\r\n\r\n`],
  'two media types': [415, toPost(`${json}Content-Type: application/json\r\n`)],
  'OPTIONS *': [400, `OPTIONS * HTTP/1.1\r\n${host}Connection: close\r\n\r\n`],
  'an expectation': [417, `GET /health HTTP/1.1\r\n${host}Expect: more\r\nConnection: close\r\n\r\n`],
  CONNECT: [405, `CONNECT a.example:443 HTTP/1.1\r\n${host}Connection: close\r\n\r\n`],
} as const

/** What Deno answers without the service, or does not answer. */
const answeredOnNode = {
  'an unknown method': [400, `NONE / HTTP/1.1\r\n${host}\r\n`],
  'no host': [400, 'GET /health HTTP/1.1\r\n\r\n'],
  'two hosts': [400, `GET /health HTTP/1.1\r\n${host}hOsT: a\r\n\r\n`],
  'an invalid header': [400, `GET /health HTTP/1.1\r\n${host}A\r\n\r\n`],
  'two lengths': [400, `POST / HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`],
  'a chunk without a size': [400, `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
  'large headers': [431, `GET /health HTTP/1.1\r\n${host}A: ${'a'.repeat(20_000)}\r\n\r\n`],
  'half of the headers': [408, `GET /health HTTP/1.1\r\n${host}`],
  'half of a body': [408, `POST /api/v1/admin/keys HTTP/1.1\r\n${host}${json}Content-Length: 9\r\n\r\n{`],
} as const

const codes = {
  400: 'svc/invalid-request',
  405: 'svc/method-not-allowed',
  408: 'svc/request-timeout',
  415: 'svc/unsupported-media-type',
  417: 'svc/expectation-failed',
  431: 'svc/headers-too-large',
} as const

describe.each([
  ['Node', { ...answeredEverywhere, ...answeredOnNode }],
  ['Deno', answeredEverywhere],
] as const)('a request that the service on %s cannot read', (runtime, requests) => {
  const server = setUp(() =>
    startServerProcess(settingsFor(localnet, { logLevel: 'info', clientTimeoutMs: 2000 }), runtime),
  )

  const find = (requestId: string) => server.lines.filter((line) => line.includes(requestId))

  async function countOthers(status: number): Promise<number> {
    const { body } = await request(`${server.url}/metrics`, { headers: { 'x-admin-key': adminKey } })
    const found = new RegExp(`^agio_requests_total\\{operation="[^"]*",status="${status}"\\} (\\d+)$`, 'gm')
    return [...(await body.text()).matchAll(found)].reduce((sum, [, count]) => sum + Number(count), 0)
  }

  it.each(Object.entries(requests))(
    `a request with %s to the service on ${runtime} is answered in the envelope, logged and counted`,
    async (_, [status, text]) => {
      const before = await countOthers(status)
      const answer = await sendRaw(server.url, text)
      const requestId = String(answer.headers['x-request-id'])
      expect(answer).toMatchObject({ status, body: { success: false, code: codes[status], requestId } })
      expect(answer.headers['cache-control']).toBe('no-store')
      await expect.poll(() => find(requestId)).toHaveLength(1)
      expect(JSON.parse(find(requestId)[0] ?? '')).toMatchObject({ requestId, status, msg: 'answered' })
      expect(await countOthers(status)).toBe(before + 1)
    },
  )

  // Half of the headers may be those of any method.
  const heads = Object.entries(requests).filter(([, [status, text]]) => status !== 408 && text.startsWith('GET'))
  it.each(heads)(
    `a HEAD request with %s to the service on ${runtime} is answered without a body`,
    async (_, [status, text]) => {
      expect(await sendRaw(server.url, text.replace('GET', 'HEAD'))).toMatchObject({ status, afterHead: '' })
    },
  )

  it(`a request id that the client of the service on ${runtime} sends with such a request is kept`, async () => {
    const text = `GET /health HTTP/1.1\r\nHost: a b\r\nX-Request-Id: mine\r\nConnection: close\r\n\r\n`
    expect(await sendRaw(server.url, text)).toMatchObject({ status: 400, body: { requestId: 'mine' } })
  })
})
