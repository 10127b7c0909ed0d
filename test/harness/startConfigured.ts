import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { getBinary } from './findServices.ts'
import { killOnExit } from './killOnExit.ts'

/** Starts a program with a configuration file in a folder of its own, and waits until it is ready. */
export async function startConfigured(
  name: Parameters<typeof getBinary>[0],
  { toConfig, toArguments, isReady }: Options,
): Promise<AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), `agio-${name}-`))
  // Another user may run it.
  await chmod(folder, 0o755)
  const file = join(folder, 'config')
  await writeFile(file, toConfig(folder).join('\n'))
  const program = spawn(getBinary(name), toArguments(file, folder), { stdio: 'ignore' })
  killOnExit(program)
  const exited = once(program, 'exit')
  while (program.exitCode === null && !(await isReady())) await wait(20)
  if (program.exitCode !== null) throw new Error(`Cannot start ${name}: it exited before it was ready`)
  return {
    async [Symbol.asyncDispose]() {
      program.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type Options = {
  /** Returns the lines of the configuration. */
  readonly toConfig: (folder: string) => readonly string[]
  readonly toArguments: (file: string, folder: string) => readonly string[]
  readonly isReady: () => Promise<boolean>
}
