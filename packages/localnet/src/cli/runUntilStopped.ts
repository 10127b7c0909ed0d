import { ignoreOutputErrors, stopOnSignal } from '@agio/server/cli'
import process from 'node:process'

// Requests in flight may take as long as the slowest node.
const stopLimitMs = 30_000

const touchIntervalMs = 2000

/**
 * Runs a command until a signal stops it, and prints its summary when it is ready. With `json`, standard output has one line
 * with a JSON object for each event, the first of which is `ready`. Messages from before are on the error output.
 *
 * @param start returns the summary, and adds to `running.parts` what a signal stops
 */
export async function runUntilStopped({ json }: Options, start: Start): Promise<void> {
  ignoreOutputErrors()
  const output = createOutput(json)
  const parts = new AsyncDisposableStack()
  const stop = async () => {
    output.stopping()
    await parts.disposeAsync()
  }
  const signal = stopOnSignal(stop, stopLimitMs)
  onOutputGone(() => process.kill(process.pid, 'SIGTERM'))
  try {
    const started = await start({ parts, report: output.report })
    output.ready(started)
    if (json) touchOutput()
    await started.work?.(signal)
  } catch (error) {
    // A start or a work that is stopped half-way fails. The process exits when every part is stopped.
    if (signal.aborted) return
    console.error(error instanceof Error ? error.message : error)
    await parts.disposeAsync()
    process.exit(1)
  }
}

type Options = {
  /** Whether to print events as JSON, one a line. */
  readonly json: boolean
}

type Start = (running: Running) => Promise<Started>

/** A command that starts. */
export type Running = {
  /** What a signal stops. */
  readonly parts: AsyncDisposableStack
  /** Prints a step of the start, or a later message. */
  readonly report: (message: string) => void
}

/** What a command has started. */
export type Started = {
  readonly summary: string
  /** The start of the last line. Default: `ready`. */
  readonly readiness?: string
  /** The fields of the event `ready`. */
  readonly fields: object
  /** What the command does once it is ready, until the signal is aborted. If it fails, the command fails. */
  readonly work?: (signal: AbortSignal) => Promise<void>
}

/** Calls back when the reader of the standard output has ended. `npx` passes on no SIGINT, so this may be all that is noticed. */
function onOutputGone(stop: () => void): void {
  const onError = ({ code }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') return
    process.stdout.off('error', onError)
    stop()
  }
  process.stdout.on('error', onError)
}

/** Writes a space now and then: only a write shows that a pipe is closed. Spaces before an event do not change its JSON. */
function touchOutput(): void {
  if (!process.stdout.isTTY) setInterval(() => process.stdout.write(' '), touchIntervalMs).unref()
}

function createOutput(json: boolean) {
  const print = (event: object) => console.log(JSON.stringify(event))
  let isReady = false
  return {
    report(message: string) {
      if (!json) console.log(message)
      else if (isReady) print({ event: 'message', message })
      else console.error(message)
    },
    ready({ summary, readiness = 'ready', fields }: Started) {
      isReady = true
      if (json) return print({ event: 'ready', pid: process.pid, ...fields })
      console.log(`\n${summary}\n`)
      console.log(`${readiness} after ${(performance.now() / 1000).toFixed(1)} s (Ctrl-C stops it)`)
    },
    stopping() {
      if (json) print({ event: 'stopping' })
      else console.log('Stopping')
    },
  }
}
