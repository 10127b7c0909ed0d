import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

const current = new AsyncLocalStorage<RunClock>()
const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  Date: globalThis.Date,
  fetch: globalThis.fetch,
}
const readMonotonic = performance.now.bind(performance)

/**
 * Lets code that runs inside `runWithClock` see the clock of its run instead of the clock of the machine, and counts its
 * requests. All other code of the process is unaffected.
 *
 * @returns a function that restores the globals
 */
export function installClocks(): () => void {
  globalThis.setTimeout = ((callback: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) =>
    current.getStore()?.addTimer(() => callback(...values), ms) ??
    real.setTimeout(callback, ms, ...values)) as typeof setTimeout
  globalThis.clearTimeout = (timer: unknown) =>
    timer instanceof Timer ? timer.clear() : real.clearTimeout(timer as NodeJS.Timeout)
  globalThis.Date = new Proxy(real.Date, {
    construct: (target, args) => Reflect.construct(target, args.length === 0 ? [readNow()] : args) as Date,
    get: (target, name) => (name === 'now' ? readNow : (Reflect.get(target, name) as unknown)),
  })
  performance.now = () => current.getStore()?.now() ?? readMonotonic()
  globalThis.fetch = async (input, init) =>
    (await current.getStore()?.track(async () => await current.exit(fetchWhole, input, init))) ??
    (await real.fetch(input, init))
  return () => {
    Object.assign(globalThis, real)
    performance.now = readMonotonic
  }
}

function readNow(): number {
  return current.getStore()?.now() ?? real.Date.now()
}

/** Reads the whole response, so that no request is unfinished when the run seems to wait. A stream stays open. */
async function fetchWhole(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await real.fetch(input, init)
  if (isStream(response)) return await untilFirstEvent(response)
  const { status, headers } = response
  return new Response(await response.arrayBuffer(), { status, headers })
}

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true
}

/**
 * Resolves when the first state of a stream has arrived, after the event that opens the stream. A temporary error is not a
 * state: the clock of the run would pass the next event while the service recovers.
 */
async function untilFirstEvent({ body, status, headers }: Response): Promise<Response> {
  const [seen, passed] = (body as ReadableStream<Uint8Array>).tee()
  const reader = seen.pipeThrough(new TextDecoderStream()).getReader()
  for (let text = ''; !/^data: (?!.*"retryable":true).*"topic".*\n/m.test(text);) {
    const { done, value = '' } = await reader.read()
    if (done) break
    text += value
  }
  return new Response(passed, { status, headers })
}

/** The most time that may pass in a run. Longer than any time limit of the SDK. */
const patienceMs = 200_000

/** How often a run without timers and requests is given a millisecond to continue: another thread grants its locks. */
const maxIdleTurns = 1000

/**
 * A longer timer ends the silence of a stream. The clock jumps there only if the code has had this many turns of the
 * event loop: an event that has arrived needs some of them to reach the SDK.
 */
const [longTimerMs, maxStreamTurns] = [10_000, 100]

/**
 * Runs code with a clock of its own, which stands still while the code runs and its requests are unfinished: how fast the
 * machine is changes nothing. While the code waits for a timer, the clock jumps to that timer. The clock runs a little
 * further at each jump, as if the machine had slept.
 *
 * @param stop called if the code still waits after 200 seconds, or waits for nothing. It must end the code
 */
export async function runWithClock<Result>(code: () => Promise<Result>, stop: () => void): Promise<Result> {
  const clock = new RunClock()
  const running = current.run(clock, code)
  const end = () => clock.end()
  running.then(end, end)
  await clock.drive(stop)
  return await running
}

class Timer {
  readonly ms: number
  readonly dueMs: number
  readonly run: () => void
  readonly #timers: Set<Timer>

  constructor(timers: Set<Timer>, { ms, dueMs, callback }: TimerOptions) {
    this.#timers = timers
    this.ms = ms
    this.dueMs = dueMs
    this.run = AsyncResource.bind(callback)
    timers.add(this)
  }

  clear(): void {
    this.#timers.delete(this)
  }
}

type TimerOptions = Pick<Timer, 'ms' | 'dueMs'> & { readonly callback: () => void }

class RunClock {
  readonly #timers = new Set<Timer>()
  readonly #startMs = real.Date.now()
  #elapsedMs = 0
  #requests = 0
  #hasStream = false
  #hasEnded = false
  #wake = () => {}

  now(): number {
    return this.#startMs + this.#elapsedMs
  }

  addTimer(callback: () => void, ms: number): Timer {
    return new Timer(this.#timers, { ms, dueMs: this.now() + ms, callback })
  }

  async track(request: () => Promise<Response>): Promise<Response> {
    this.#requests += 1
    try {
      const response = await request()
      this.#hasStream ||= isStream(response)
      return response
    } finally {
      this.#requests -= 1
      this.#wake()
    }
  }

  end(): void {
    this.#hasEnded = true
    this.#wake()
  }

  async drive(stop: () => void): Promise<void> {
    let isStopped = false
    for (let idleTurns = 0; !this.#hasEnded;) {
      if (await this.#isBusy()) continue
      const [next] = [...this.#timers].toSorted((a, b) => a.dueMs - b.dueMs)
      const waitsForNothing = !next && idleTurns >= maxIdleTurns
      if (!isStopped && (waitsForNothing || this.#elapsedMs > patienceMs)) {
        isStopped = true
        idleTurns = 0
        stop()
      } else if (next && this.#hasStream && next.ms > longTimerMs && idleTurns < maxStreamTurns) idleTurns += 1
      else if (next) {
        this.#elapsedMs = Math.max(next.dueMs - this.#startMs, this.#elapsedMs) + Math.floor(this.#elapsedMs / 2)
        idleTurns = 0
        next.clear()
        next.run()
      } else if ((idleTurns += 1) > maxIdleTurns) throw new Error('Cannot end the run: it waits for nothing')
      else await sleep(1)
    }
  }

  /** Waits for a request if there is one, and returns whether the code may continue without a timer. */
  async #isBusy(): Promise<boolean> {
    // The promises of locks and streams need turns of the event loop.
    for (let turn = 0; turn < 3; turn += 1) await (this.#hasStream ? sleep(1) : setImmediate())
    if (this.#hasEnded) return true
    if (this.#requests === 0) return false
    await new Promise<void>((resolve) => (this.#wake = resolve))
    return true
  }
}
