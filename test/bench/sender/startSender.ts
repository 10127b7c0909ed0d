import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { killOnExit } from '../../stack/killOnExit.ts'
import { pinned, senderCore } from '../cores.ts'
import type { sendEvenly } from './sendEvenly.ts'
import type { Outcome, Task } from './sender.ts'
import type { sendFlatOut } from './sendFlatOut.ts'

const file = fileURLToPath(new URL('sender.ts', import.meta.url))

/** Starts the process that sends requests, on a core of its own or beside the chains, never beside what is measured. */
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
    sendEvenly: (settings) => run({ how: 'evenly', settings }),
    sendFlatOut: (settings) => run({ how: 'flatOut', settings }),
    [Symbol.dispose]: () => void child.kill(),
  }
}

/** @throws `Error` if requests cannot be sent */
export type Sender = Disposable & {
  readonly sendEvenly: typeof sendEvenly
  readonly sendFlatOut: typeof sendFlatOut
}
