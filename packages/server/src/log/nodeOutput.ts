import { constants, fstatSync, openSync, write, writeSync } from 'node:fs'
import process from 'node:process'
import type { Output } from './Output.ts'

/** The standard output on Node. */
export const nodeOutput: Output = {
  write: async (bytes) => await open().write(bytes),
  writeLast(bytes) {
    try {
      writeSync(open().descriptor, bytes)
    } catch {}
  },
}

type OpenOutput = { readonly descriptor: number; readonly write: Output['write'] }

let opened: OpenOutput | undefined

function open(): OpenOutput {
  if (opened) return opened
  const stats = fstatSync(1)
  if (stats.isFIFO() || stats.isSocket()) opened = openStream()
  else opened = openFile(stats.isCharacterDevice() ? openTerminal() : 1)
  return opened
}

/**
 * Opens a pipe or a socket. `process.stdout` makes it non-blocking, for synchronous writes too. `fs.write` would occupy
 * a thread while the reader stalls, and Node cannot exit before that thread ends.
 */
function openStream(): OpenOutput {
  process.stdout.on('error', () => {})
  const write = async (bytes: Uint8Array): Promise<number> =>
    await new Promise((resolve, reject) => {
      process.stdout.write(bytes, (error) => (error ? reject(error) : resolve(bytes.length)))
    })
  return { descriptor: 1, write }
}

function openFile(descriptor: number): OpenOutput {
  const writeAsync = async (bytes: Uint8Array): Promise<number> =>
    await new Promise((resolve, reject) => {
      write(descriptor, bytes, (error, length) => (error ? reject(error) : resolve(length)))
    })
  return { descriptor, write: writeAsync }
}

/**
 * Opens a terminal again, without blocking. While a user has paused the terminal, writes to this descriptor fail.
 */
function openTerminal(): number {
  try {
    return openSync('/dev/stdout', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    return 1
  }
}
