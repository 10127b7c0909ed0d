import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A standard output for a child process that accepts nothing, or stops accepting. */
export type BrokenOutput = Disposable & {
  /** The entry of the child's `stdio`. */
  readonly stdio: number | 'pipe'
  /** Makes it fail, if it does not from the start. */
  fail(): void
  /** Reads what the child has written and goes on to write; absent where nothing can be read. */
  readonly readLines?: () => readonly string[]
}

/** Opens each kind of broken output. */
export const brokenOutputs: Readonly<Record<string, () => BrokenOutput>> = {
  'a full disk': openFullDisk,
  'a pipe whose reader stalls': openStalledPipe,
  'a pipe whose reader has died': openDeadPipe,
  // Node makes its own pipes to a child of sockets, as systemd does. This one is never read.
  'a socket whose reader stalls': () => ({ stdio: 'pipe', fail: () => {}, [Symbol.dispose]: () => {} }),
}

function openFullDisk(): BrokenOutput {
  const stdio = openSync('/dev/full', 'w')
  return { stdio, fail: () => {}, [Symbol.dispose]: () => closeSync(stdio) }
}

function openStalledPipe(): BrokenOutput {
  const { reader, writer, dispose } = openPipe()
  const input = new Socket({ fd: reader, readable: true, writable: false })
  const readLines = () => {
    const lines: string[] = []
    createInterface(input).on('line', (line) => lines.push(line))
    return lines
  }
  const close = () => {
    input.destroy()
    dispose()
  }
  return { stdio: writer, fail: () => {}, readLines, [Symbol.dispose]: close }
}

function openDeadPipe(): BrokenOutput {
  const { reader, writer, dispose } = openPipe()
  return { stdio: writer, fail: () => closeSync(reader), [Symbol.dispose]: dispose }
}

function openPipe() {
  const folder = mkdtempSync(join(tmpdir(), 'agio-output-'))
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(path, 'w')
  const dispose = () => {
    closeSync(writer)
    rmSync(folder, { recursive: true })
  }
  return { reader, writer, dispose }
}
