import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { killOnExit } from '../../../test/harness/killOnExit.ts'
import { pinned, senderCore } from '../cores.ts'
import type { sendAtRate } from './sendAtRate.ts'
import type { Outcome, sendBackToBack, Task } from './sender.ts'

const file = fileURLToPath(new URL('sender.ts', import.meta.url))

/** Starts the process that sends requests, never on the core of the subject. */
export function startSender(): Sender {
  const [program, ...args] = pinned(senderCore, [process.execPath, file])
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  killOnExit(child)
  async function run<Result>(task: Task): Promise<Result> {
    child.send(task)
    const [outcome] = (await once(child, 'message')) as [Outcome]
    if ('error' in outcome) throw new Error(`Cannot measure ${task.settings.url}: ${outcome.error}`)
    return outcome.result as Result
  }
  return {
    sendAtRate: (settings) => run({ how: 'evenly', settings }),
    sendBackToBack: (settings) => run({ how: 'flatOut', settings }),
    [Symbol.dispose]: () => void child.kill(),
  }
}

/** @throws `Error` if requests cannot be sent */
export type Sender = Disposable & {
  readonly sendAtRate: typeof sendAtRate
  readonly sendBackToBack: typeof sendBackToBack
}
