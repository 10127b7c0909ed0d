import { Buffer } from 'node:buffer'
import process from 'node:process'
import { Async } from '@agio/core'
import type { Output } from './Output.ts'

// The size of one write.
const chunkBytes = 65_536
const flushMs = 500
const endMs = 1000

/**
 * Creates a bounded buffer of lines in front of an output. Adding a line never waits. While the buffer is full, lines
 * are dropped.
 *
 * Lines are written in batches, within half a second. A failed write is retried at the same interval, until the output
 * accepts the lines.
 *
 * @param onRecovered receives the number of dropped lines when the buffer is empty again
 */
export function createLineBuffer(output: Output, { maxBytes = 4_194_304, onRecovered }: Options) {
  const waiting = createChunks()
  let [dropped, reported] = [0, 0]
  let writing: Promise<void> | undefined
  let isFailing = false
  // Whether the next write includes lines that do not fill a chunk.
  let isDue = false
  function takeChunk(): Uint8Array | undefined {
    if (isDue) waiting.seal()
    isDue = false
    return waiting.first()
  }
  function report(): void {
    onRecovered(dropped - reported)
    reported = dropped
    isDue = true
  }
  async function writeWaiting(): Promise<void> {
    for (;;) {
      const chunk = takeChunk()
      if (chunk) waiting.removeFirst(await output.write(chunk))
      else if (dropped === reported) return
      else report()
    }
  }
  const write = () => {
    if (isFailing) return
    const fail = () => void (isFailing = true)
    writing ??= writeWaiting()
      .catch(fail)
      .finally(() => (writing = undefined))
  }
  const flush = () => {
    isDue = true
    write()
  }
  const retry = () => {
    isFailing = false
    flush()
  }
  const timer = setInterval(retry, flushMs)
  // A write in flight may have stopped in the middle of a line.
  const writeLast = () => writing ?? output.writeLast(waiting.takeAll())
  process.once('exit', writeLast)
  return {
    /** Adds a line, which ends with a line break. Drops the line if the buffer is full. */
    add(line: string): void {
      const bytes = Buffer.byteLength(line)
      if (waiting.countBytes() + bytes > maxBytes) dropped += 1
      else if (waiting.add(line, bytes)) write()
    },
    /** Writes the buffered lines without delay. */
    flush,
    /** Returns the number of lines dropped so far. */
    countDropped: () => dropped,
    /** Writes the buffered lines, for at most a second. Lines that are added later are not written. */
    async end(): Promise<void> {
      clearInterval(timer)
      process.off('exit', writeLast)
      retry()
      if (writing) await Async.waitAtMost(endMs, writing)
    },
  }
}

type Options = {
  /** How many bytes may wait for the output; 4 MiB by default. */
  readonly maxBytes?: number
  readonly onRecovered: (droppedLines: number) => void
}

/** Buffers lines for an output that may stall. */
export type LineBuffer = ReturnType<typeof createLineBuffer>

/** Collects lines as bytes. A buffer of strings would retain all parts from which the strings were concatenated. */
function createChunks() {
  const full: Uint8Array<ArrayBuffer>[] = []
  let fullBytes = 0
  let chunk = Buffer.allocUnsafeSlow(chunkBytes)
  let length = 0
  // Chunks are reused: each lives too long for a minor garbage collection, and new chunks would cause major
  // collections.
  let spare: ArrayBuffer | undefined
  const push = (bytes: Uint8Array<ArrayBuffer>) => {
    full.push(bytes)
    fullBytes += bytes.length
  }
  const seal = () => {
    if (length === 0) return
    push(chunk.subarray(0, length))
    chunk = spare ? Buffer.from(spare) : Buffer.allocUnsafeSlow(chunkBytes)
    spare = undefined
    length = 0
  }
  return {
    countBytes: () => fullBytes + length,
    /** Adds a line of a number of bytes; returns whether there is a full chunk to write. */
    add(line: string, bytes: number): boolean {
      if (length + bytes > chunkBytes) seal()
      if (bytes > chunkBytes) push(Buffer.from(line))
      else length += chunk.write(line, length)
      return full.length > 0
    },
    /** Makes a chunk of the remaining lines. */
    seal,
    /** Returns the oldest chunk. */
    first: (): Uint8Array | undefined => full[0],
    /** Removes bytes from the start of the first chunk. */
    removeFirst(bytes: number): void {
      const first = full.shift()
      const rest = first?.subarray(bytes)
      if (rest && rest.length > 0) full.unshift(rest)
      else if (first?.buffer.byteLength === chunkBytes) spare = first.buffer
      fullBytes -= bytes
    },
    takeAll(): Uint8Array {
      seal()
      fullBytes = 0
      return Buffer.concat(full.splice(0))
    },
  }
}
