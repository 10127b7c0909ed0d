import fc from 'fast-check'
import type { ValidCall } from './createValidCalls.ts'
import { encodeRequest } from './encodeRequest.ts'
import type { Headers, WireRequest } from './FuzzRequest.ts'
import { wireParts } from './wireParts.ts'
import { writeCall, writeInput } from './writeCall.ts'

const { garbage, lengths, codings, hosts, firstLines, badLines, chunks } = wireParts

type Change = (head: string, body: Buffer) => Buffer

/** Bytes of an invalid request, of an incomplete one, or of several. */
export function arbitraryWire(validCalls: readonly ValidCall[], headers: Headers): fc.Arbitrary<WireRequest> {
  const whole: Change = (head, body) => Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body])
  const withHead =
    (change: (head: string) => string): Change =>
    (head, body) =>
      whole(change(head), body)
  const addLine = (line: string) => withHead((head) => `${head}\r\n${line}`)
  const setLength = (value: string) =>
    withHead((head) => `${head.replace(/\r\nContent-Length: \d+/, '')}\r\nContent-Length: ${value}`)
  const chunked =
    (text: string): Change =>
    (head) => {
      const bare = head.replace(/\r\nContent-Length: \d+/, '')
      return Buffer.from(`${bare}\r\nTransfer-Encoding: chunked\r\n\r\n${text}`)
    }
  const change: fc.Arbitrary<Change> = fc.oneof(
    fc.constant(whole),
    fc.double({ min: 0, max: 1, noNaN: true }).map((part): Change => (head, body) => {
      const bytes = whole(head, body)
      return bytes.subarray(0, Math.floor(bytes.length * part))
    }),
    fc.constantFrom(...garbage).map(
      (text): Change =>
        (head, body) =>
          Buffer.concat([whole(head, body), Buffer.from(text)]),
    ),
    fc.integer({ min: 2, max: 20 }).map(
      (times): Change =>
        (head, body) =>
          Buffer.concat(Array.from({ length: times }, () => whole(head, body))),
    ),
    fc.constantFrom(...lengths).map(setLength),
    fc.constantFrom(...codings).map((coding) => addLine(`Transfer-Encoding: ${coding}`)),
    fc.constantFrom(...hosts).map((host) => withHead((head) => head.replace(/\r\nHost: [^\r]*/, `\r\nHost: ${host}`))),
    fc.constant(withHead((head) => head.replace(/\r\nHost: [^\r]*/, ''))),
    fc.constant(addLine('Host: twice')),
    fc.constantFrom(...firstLines).map((line) => withHead((head) => head.replace(/^[^\r]*/, line))),
    fc.constantFrom(...badLines).map(addLine),
    fc.constant(withHead((head) => head.replaceAll('\r\n', '\n'))),
    fc.constant(withHead((head) => `\r\n\r\n${head}`)),
    fc
      .constantFrom(
        'Expect: 100-continue',
        'Expect: 200-ok',
        'Upgrade: websocket\r\nConnection: Upgrade',
        'Upgrade: h2c',
      )
      .map(addLine),
    fc.array(fc.constantFrom(...chunks), { minLength: 1, maxLength: 3 }).map((parts) => chunked(parts.join(''))),
    fc
      .integer({ min: 1, max: 400 })
      .map((count) => chunked(`${`100\r\n${'x'.repeat(256)}\r\n`.repeat(count)}0\r\n\r\n`)),
    fc
      .integer({ min: 390, max: 1500 })
      .map((count) => chunked(`${`100\r\n${' '.repeat(256)}\r\n`.repeat(count)}0\r\n\r\n`)),
    fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => () => Buffer.from(bytes)),
  )
  const ending = fc.constantFrom<WireRequest['ending']>('end', 'end', 'end', 'break')
  return fc.tuple(fc.constantFrom(...validCalls), change, ending).map(([validCall, apply, ending]) => {
    const { method, fields, place } = validCall
    const common: Headers = [...headers, ...validCall.headers]
    const { target, body = Buffer.alloc(0) } = writeCall(validCall, writeInput(validCall, fields))
    const own: Headers =
      place === 'body'
        ? [...common, ['Content-Type', 'application/json'], ['Content-Length', String(body.length)]]
        : common
    const head = encodeRequest({ method, target, headers: own }).toString('latin1').slice(0, -4)
    return { kind: 'wire', bytes: apply(head, body), ending }
  })
}
