import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { killOnExit } from '../../test/harness/killOnExit.ts'
import { pinned, subjectCore } from './cores.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Starts a subject as in production, as the only process on the first core, with its output in a file.
 *
 * @throws `Error` with its output if it exits before it is ready
 */
export async function startSubject({ name, command, env, folder }: startSubject.Settings): Promise<Subject> {
  const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.log`)
  const output = openSync(file, 'w')
  const [program, ...args] = pinned(subjectCore, command)
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', output, output],
  })
  killOnExit(child)
  const exited = once(child, 'exit')
  const url = await untilReady(file, () => child.exitCode !== null)
  return {
    name,
    url,
    pid: child.pid ?? 0,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      child.kill('SIGCONT')
      child.kill('SIGTERM')
      await exited
    },
  }
}

export declare namespace startSubject {
  type Settings = {
    readonly name: string
    readonly command: readonly string[]
    readonly env: Readonly<Record<string, string>>
    /** The file of its output. */
    readonly folder: string
  }
}

/** A measured process, which serves previews. */
export type Subject = AsyncDisposable & {
  readonly name: string
  readonly url: string
  readonly pid: number
  /** Suspends it, so that it does not disturb the other subjects. */
  pause(): void
  resume(): void
}

async function untilReady(file: string, hasEnded: () => boolean): Promise<string> {
  for (;;) {
    const isOver = hasEnded()
    const written = await readFile(file, 'utf8')
    const url = /^ready (?:\(.*\) )?on (\S+)$/m.exec(written)?.[1]
    if (url !== undefined) return url
    if (isOver) throw new Error(`Cannot start a subject: ${written}`)
    await wait(50)
  }
}
