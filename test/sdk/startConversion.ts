import { fork } from 'node:child_process'
import { on, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ConversionReceipt, ConvertOptions, QuoteRequest, Step } from '../../packages/sdk/src/index.ts'
import { killOnExit } from '../harness/killOnExit.ts'

const program = fileURLToPath(new URL('convertOnce.ts', import.meta.url))

/** Starts a process that converts, from the step in its file if there is one. It waits at each step for the message to continue. */
export function startConversion(order: ConversionOrder) {
  const child = fork(program, [JSON.stringify(order)], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  killOnExit(child)
  const exited = once(child, 'exit')
  const messages = on(child, 'message', { close: ['exit'] })
  const steps: Step[] = []

  async function next(): Promise<ConversionMessage> {
    const { done, value } = await messages.next()
    if (done) throw new Error(`Cannot convert: the process has ended after ${steps.map(nameOf).join(', ')}`)
    const [message] = value as [ConversionMessage]
    if (message.step) steps.push(message.step)
    return message
  }

  // The process may be killed at any moment.
  const goOn = () => void (child.connected && child.send('go on', () => {}))

  return {
    /** The steps so far. All of them are stored. */
    steps,
    /** Continues from a step where it waits. */
    goOn,
    /** Continues until it has stored a step, where it waits. */
    async runTo(name: string): Promise<Step> {
      for (let message = await next(); ; message = await next()) {
        if (!message.step) throw new Error(`Cannot stop at ${name}: ${JSON.stringify(message)}`)
        if (nameOf(message.step) === name) return message.step
        goOn()
      }
    },
    /** Continues from the next step to the end. */
    async finish(): Promise<ConversionMessage> {
      for (let message = await next(); ; message = await next()) {
        if (!message.step) return message
        goOn()
      }
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

export type ConversionOrder = {
  readonly url: string
  readonly apiKey: string
  /** Where the wallet is served. */
  readonly walletUrl: string
  /** Where the newest step is stored. */
  readonly stepFile: string
  readonly request: QuoteRequest
  readonly options?: Pick<ConvertOptions, 'approval' | 'onQuoteExpired'>
}

/** What the process reports: a step, and at last the receipt or an error. */
export type ConversionMessage = {
  readonly step?: Step
  readonly receipt?: ConversionReceipt
  readonly error?: { readonly code: string; readonly message: string; readonly details: unknown }
}

/** The kind and the status of a step, and the purpose of an approval: `approve reset sent`. */
export function nameOf(step: Step): string {
  return [step.kind, ...(step.kind === 'approve' ? [step.purpose] : []), step.status].join(' ')
}
