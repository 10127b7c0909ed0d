import { fork, type ChildProcess } from 'node:child_process'
import process from 'node:process'
import type { Settings } from '../settings/Settings.ts'
import { toDenoCommand } from '../deno/toDenoCommand.ts'
import { toPortVariables } from './choosePorts.ts'

/** The argument that starts `deno.ts` as a worker. */
const workerArgument = '--worker'

/** Whether this process is a worker on Deno. */
export const isDenoWorker = process.argv.includes(workerArgument)

/** Starts a worker on Deno, with the permissions that its settings need. */
export function forkDenoWorker(settings: Settings): ChildProcess {
  const [execPath, ...args] = toDenoCommand(settings)
  const [file = '', ...execArgv] = args.toReversed()
  const env = { ...process.env, ...toPortVariables(settings) }
  return fork(file, [workerArgument], { execPath, execArgv: execArgv.toReversed(), env })
}
