import { Buffer } from 'node:buffer'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLineBuffer, type LineBuffer } from './createLineBuffer.ts'
import type { Output } from './Output.ts'

let buffer: LineBuffer

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(async () => {
  const ended = buffer.end()
  await vi.advanceTimersByTimeAsync(1000)
  await ended
  vi.useRealTimers()
})

/** An output whose writes do what `accept` returns; `text()` is all that it has accepted. */
function createOutput(accept: (bytes: Uint8Array) => Promise<number>) {
  const accepted: Buffer[] = []
  const output: Output = {
    async write(bytes) {
      const length = await accept(bytes)
      accepted.push(Buffer.from(bytes.subarray(0, length)))
      return length
    },
    writeLast: () => {},
  }
  return { output, accepted, text: () => String(Buffer.concat(accepted)) }
}

const acceptAll = async (bytes: Uint8Array) => bytes.length
const never = () => new Promise<number>(() => {})
const refuse = async () => {
  throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
}
const onRecovered = () => {}

it('the lines of a buffer are written as one batch within half a second, and at once when flushed', async () => {
  const { output, accepted, text } = createOutput(acceptAll)
  buffer = createLineBuffer(output, { onRecovered })
  buffer.add('a\n')
  buffer.add('é\n')
  expect(accepted).toEqual([])
  await vi.advanceTimersByTimeAsync(500)
  expect(accepted.map(String)).toEqual(['a\né\n'])
  buffer.add('b\n')
  buffer.flush()
  await vi.advanceTimersByTimeAsync(0)
  expect(text()).toBe('a\né\nb\n')
})

it('a full chunk of lines is written before half a second has passed, and a line longer than a chunk is written whole', async () => {
  const { output, text } = createOutput(acceptAll)
  buffer = createLineBuffer(output, { onRecovered })
  const lines = Array.from({ length: 1000 }, (_, index) => `${index} ${'x'.repeat(100)}\n`)
  lines.push(`${'y'.repeat(100_000)}\n`)
  for (const line of lines) buffer.add(line)
  await vi.advanceTimersByTimeAsync(0)
  expect(text()).toBe(lines.join(''))
})

it('a write contains as many lines as its bytes permit', async () => {
  const { output, accepted } = createOutput(acceptAll)
  buffer = createLineBuffer(output, { onRecovered })
  const line = `${'é'.repeat(199)}\n`
  for (let index = 0; index < 400; index += 1) buffer.add(line)
  await vi.advanceTimersByTimeAsync(500)
  expect(accepted.map((bytes) => bytes.length / Buffer.byteLength(line))).toEqual([164, 164, 72])
})

it('the lines of a buffer appear in order after failed writes, and one report counts the dropped ones', async () => {
  let accept: () => Promise<number> = refuse
  const { output, text } = createOutput((bytes) => (accept === refuse ? accept() : acceptAll(bytes)))
  const reports: number[] = []
  const report = (count: number) => {
    reports.push(count)
    buffer.add('recovered\n')
  }
  buffer = createLineBuffer(output, { maxBytes: 100, onRecovered: report })
  for (let index = 0; index < 100; index += 1) buffer.add(`${index}\n`)
  await vi.advanceTimersByTimeAsync(2000)
  expect(text()).toBe('')
  accept = never
  await vi.advanceTimersByTimeAsync(500)
  const dropped = buffer.countDropped()
  const kept = Array.from({ length: 100 - dropped }, (_, index) => `${index}\n`)
  expect(text()).toBe(`${kept.join('')}recovered\n`)
  expect(reports).toEqual([dropped])
  await vi.advanceTimersByTimeAsync(2000)
  expect(reports, 'what was reported is not reported again').toEqual([dropped])
})

it('a partial write of lines is continued at the byte where it stopped', async () => {
  const { output, text } = createOutput(async (bytes) => Math.min(3, bytes.length))
  buffer = createLineBuffer(output, { onRecovered })
  buffer.add('a long line\n')
  await vi.advanceTimersByTimeAsync(500)
  expect(text()).toBe('a long line\n')
})

it('a buffer that ends writes its lines, for a second at most if the output accepts nothing', async () => {
  const { output, text } = createOutput(acceptAll)
  buffer = createLineBuffer(output, { onRecovered })
  buffer.add('last\n')
  await buffer.end()
  expect(text()).toBe('last\n')
  buffer = createLineBuffer(createOutput(never).output, { onRecovered })
  buffer.add('lost\n')
  let isEnded = false
  const ended = buffer.end().then(() => (isEnded = true))
  await vi.advanceTimersByTimeAsync(999)
  expect(isEnded).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await ended
})

it('a buffer that ends does not wait for an output that fails', async () => {
  buffer = createLineBuffer(createOutput(refuse).output, { onRecovered })
  buffer.add('lost\n')
  await buffer.end()
})
