import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { validInputs } from '../harness/validInputs.ts'
import { parseResponses, type ReceivedResponse } from './parseResponses.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { setUp } from '../harness/setUp.ts'

// No block is mined, so that equal requests have equal responses.
const stack = setUp(() => startAgio({ clientTimeoutMs: 3_600_000 }))
let limitedKey: string
let preview: string

beforeAll(async () => {
  const roomy = { requests: 100_000, windowSeconds: 3600, burstPerSecond: 100_000, monthlyQuota: 1_000_000 }
  limitedKey = (await createAdminClient(stack.url).issue(roomy)).key
  preview = JSON.stringify(validInputs(stack.localnet.chains[84532])['convert.preview'])
})

// The service reads a call to the first host as Node has parsed it, and makes a web-standard request of one to the other, whose
// URL must be normalized.
const hosts = ['service.localhost', 'SERVICE.localhost']

const rest = '/api/v1/convert/preview'
const trpc = '/trpc/convert.preview'
const withKey = { 'X-API-Key': apiKey, 'Content-Type': 'application/json', 'X-Request-Id': 'same' }

type Call = {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | Buffer
  /** Default: the length of the body. */
  readonly length?: number
}

describe('a call that is answered as Node has parsed it', () => {
  it.each<readonly [name: string, call: () => Call]>([
    ['a preview', () => ({ body: preview })],
    ['a preview with limits', () => ({ headers: { ...withKey, 'X-API-Key': limitedKey }, body: preview })],
    ['a preview over tRPC', () => ({ path: trpc, body: preview })],
    ['a batch over tRPC', () => ({ path: `${trpc},chains.list?batch=1`, body: `{"0":${preview}}` })],
    ['a query over tRPC', () => ({ method: 'GET', path: `${trpc}?input=${encodeURIComponent(preview)}` })],
    ['a stream of tRPC', () => ({ path: `${trpc}?batch=1`, headers: jsonLines(), body: `{"0":${preview}}` })],
    ['a procedure of tRPC that there is not', () => ({ path: '/trpc/no.such', body: '{}' })],
    ['a path parameter', () => ({ method: 'GET', path: '/api/v1/pools/84532' })],
    ['a query', () => ({ method: 'GET', path: '/api/v1/oracle/prices?chainId=84532' })],
    ['an unknown parameter', () => ({ path: `${rest}?a=1`, body: preview })],
    ['an encoded path', () => ({ path: '/api/v1/convert/%70review', body: preview })],
    ['a path with dots', () => ({ path: '/api/v1/pools/../convert/preview', body: preview })],
    ['an unknown path', () => ({ path: '/api/v1/no/such', body: '{}' })],
    ['another method', () => ({ method: 'GET' })],
    ['no key', () => ({ headers: { 'X-Request-Id': 'same' }, body: preview })],
    ['an unknown key', () => ({ headers: { ...withKey, 'X-API-Key': 'agio_no' }, body: preview })],
    ['two keys', () => ({ headers: { ...withKey, 'X-API-Key': [apiKey, apiKey] }, body: preview })],
    ['another media type', () => ({ headers: { ...withKey, 'Content-Type': 'text/plain' }, body: preview })],
    ['no media type', () => ({ headers: { 'X-API-Key': apiKey, 'X-Request-Id': 'same' }, body: preview })],
    [
      'a charset',
      () => ({ headers: { ...withKey, 'Content-Type': 'application/json; charset=UTF-8' }, body: preview }),
    ],
    ['an encoding', () => ({ headers: { ...withKey, 'Content-Encoding': 'gzip' }, body: preview })],
    ['an expectation', () => ({ headers: { ...withKey, Expect: '100-continue' }, body: preview })],
    ['an origin', () => ({ headers: { ...withKey, Origin: 'https://app.example' }, body: preview })],
    ['no body', () => ({ body: '' })],
    ['no JSON', () => ({ body: '{' })],
    ['an array', () => ({ body: '[]' })],
    ['a byte order mark', () => ({ body: `\uFEFF${preview}` })],
    ['malformed UTF-8', () => ({ body: Buffer.from([0x7b, 0xff, 0x7d]) })],
    ['half a character', () => ({ body: Buffer.from([0x7b, 0xe2, 0x82]) })],
    ['text beyond ASCII', () => ({ body: preview.replace('"amountIn"', '"mêñgé€😀":"é","amountIn"') })],
    ['a body of 99 kB', () => ({ body: preview.padEnd(99_000) })],
    ['a body of 101 kB', () => ({ body: preview.padEnd(101_000) })],
  ])('%s has the response that a web-standard request has', async (_, call) => {
    const [plain, standard] = await Promise.all(hosts.map((host) => send(write(call(), host))))
    expect(plain).toHaveLength(1)
    expect(plain).toEqual(standard)
  })

  it('the first host is read as Node has parsed it, and the second as a web-standard request', async () => {
    const raws = await Promise.all(hosts.map((host) => readRaw(write({ body: preview }, host))))
    // Node itself writes the length of a web-standard response.
    expect(raws.map((raw) => /content-length/i.exec(raw)?.[0])).toEqual(['content-length', 'Content-Length'])
  })

  // It takes eight seconds: longer than a machine stands still, or requests get no answer.
  it.runIf(inject('extent') === 'nightly')('a body that stops is svc/request-timeout in both', async () => {
    await using impatient = await startAgio({ localnet: stack.localnet, clientTimeoutMs: 8000 })
    const stopped = { body: preview, length: preview.length + 1 }
    const [plain, standard] = await Promise.all(hosts.map((host) => send(write(stopped, host), undefined, impatient)))
    expect(plain).toMatchObject([{ status: 408, headers: { connection: 'close' } }])
    expect(plain?.[0]?.text).toContain('svc/request-timeout')
    expect(plain).toEqual(standard)
  })

  it('a body that arrives byte by byte is read whole', async () => {
    const whole = write({ body: '{"amountIn":"é"}' }, 'service.localhost')
    const [slow] = await send(whole, async (write) => {
      for (const byte of whole) {
        write(Buffer.of(byte))
        if (byte === 0x7b || byte > 0x7f) await wait(10)
      }
    })
    expect(slow).toMatchObject({ status: 400, text: expect.stringContaining('"field":"tokenIn"') as string })
  })

  it('a hundred calls of one connection are answered in their order, pipelined or not', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `call-${index}`)
    const calls = ids.map((id, index) => {
      const path = index % 3 === 0 ? trpc : rest
      const body = index % 7 === 0 ? '{' : preview
      const close: Readonly<Record<string, string>> = index === 99 ? { Connection: 'close' } : {}
      return write({ path, body, headers: { ...withKey, 'X-Request-Id': id, ...close } }, 'service.localhost', {})
    })
    const pipelined = await send(Buffer.concat(calls.slice(-10)))
    expect(pipelined.map(({ headers }) => headers['x-request-id'])).toEqual(ids.slice(-10))
    const inTurn = await send(Buffer.concat(calls), async (write, countAnswers) => {
      for (const [index, call] of calls.entries()) {
        write(call)
        while (countAnswers() <= index) await wait(1)
      }
    })
    expect(inTurn.map(({ headers }) => headers['x-request-id'])).toEqual(ids)
    expect(inTurn.map(({ status }) => status)).toEqual(ids.map((_, index) => (index % 7 === 0 ? 400 : 200)))
  })

  it('a refused call whose body has not arrived yet leaves its connection to the next one', async () => {
    const refused = write(
      { headers: { 'X-Request-Id': 'refused' }, body: preview.padEnd(90_000) },
      'service.localhost',
      {},
    )
    const next = write({ body: preview }, 'service.localhost')
    const answers = await send(Buffer.concat([refused, next]), async (write, countAnswers) => {
      write(refused.subarray(0, 500))
      while (countAnswers() < 1) await wait(1)
      write(refused.subarray(500))
      write(next)
    })
    expect(answers.map(({ status }) => status)).toEqual([401, 200])
  })
})

const jsonLines = () => ({ ...withKey, 'trpc-accept': 'application/jsonl' })

/** The bytes of a call, by default the last one of its connection. */
function write(call: Call, host: string, last: Readonly<Record<string, string>> = { Connection: 'close' }): Buffer {
  const { method = 'POST', path = rest, headers = withKey, body = '', length = Buffer.byteLength(body) } = call
  const sized = method === 'GET' ? {} : { 'Content-Length': String(length) }
  const lines = Object.entries({ Host: host, ...headers, ...sized, ...last }).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}\r\n`),
  )
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), Buffer.from(body)])
}

type Answer = Omit<ReceivedResponse, 'headers'> & { readonly headers: Readonly<Record<string, string | undefined>> }

type Feed = (write: (bytes: Uint8Array) => void, countAnswers: () => number) => Promise<void>

function open({ url } = stack) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk))
  socket.on('error', () => {})
  return { socket, read: () => Buffer.concat(received), closed: once(socket, 'close') }
}

async function readRaw(bytes: Buffer): Promise<string> {
  const { socket, read, closed } = open()
  socket.write(bytes)
  await closed
  return read().toString('latin1')
}

/** Sends bytes over their own connection, and returns its responses, without what differs from one moment to the next. */
async function send(
  bytes: Buffer,
  feed: Feed = async (write) => write(bytes),
  to: AgioStack = stack,
): Promise<readonly Answer[]> {
  const { socket, read, closed } = open(to)
  const parse = () => parseResponses(read(), [])
  await feed(
    (part) => socket.write(part),
    () => parse().length,
  )
  await closed
  return parse().map(({ headers: { date: _, ...headers }, ...answer }) => ({
    ...answer,
    headers: { ...headers, ratelimit: headers['ratelimit']?.replaceAll(/\d+/g, '0') },
  }))
}
