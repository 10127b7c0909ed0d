import { fork, type ChildProcess } from 'node:child_process'
import process from 'node:process'
import type { Settings } from './settings/Settings.ts'
import { toDenoCommand } from './toDenoCommand.ts'
import { toPortVariables } from './workers/choosePorts.ts'
import { workerArgument } from './workers/isDenoWorker.ts'

/** Starts a worker on Deno, with the permissions that its settings need. */
export function forkDenoWorker(settings: Settings): ChildProcess {
  const [execPath, ...args] = toDenoCommand(settings)
  const [file = '', ...execArgv] = args.toReversed()
  const env = { ...process.env, ...toPortVariables(settings) }
  return fork(file, [workerArgument], { execPath, execArgv: execArgv.toReversed(), env })
}
