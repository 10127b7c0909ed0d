import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { startLocalProcess } from '../harness/startLocalProcess.ts'
import { killOnExit } from '../harness/killOnExit.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

// Neither the address of the service nor its keys may come from the shell that runs the tests.
const unset = { PORT: '', HOST: '', RPC_PORT: '', AGIO_URL: '', AGIO_API_KEY: '', ADMIN_KEY: '' }

/** Starts a local stack, and runs the `agio` command against it as a process. Keeps everything that the processes print. */
export async function startCommandStack() {
  // A transaction is final after a few seconds.
  const stack = await startLocalProcess([], { FINALITY_BLOCKS: '1' })
  const printed: string[] = []
  /** Starts a command. */
  const start = (args: readonly string[], { env = {}, input = '' }: RunOptions = {}) => {
    const child = spawn(process.execPath, ['packages/cli/src/main.ts', ...args], {
      cwd: root,
      env: { ...process.env, ...unset, AGIO_STACK: stack.name, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    killOnExit(child)
    child.stdin.end(input)
    const lines: string[] = []
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
    const ended = finish(child)
    void ended.then(({ stdout, stderr }) => printed.push(stdout, stderr))
    return { lines, ended, kill: (signal: 'SIGINT' | 'SIGKILL') => child.kill(signal) }
  }
  return {
    stack,
    /** What all commands have printed. */
    printed: printed as readonly string[],
    start,
    /** Runs a command until it ends. */
    run: async (...command: Parameters<typeof start>) => await start(...command).ended,
    async [Symbol.asyncDispose]() {
      await stack.stop('SIGINT')
    },
  }
}

async function finish(child: ChildProcessByStdio<Writable, Readable, Readable>): Promise<Finished> {
  const closed = once(child, 'close') as Promise<[number | null]>
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  return { code, stdout, stderr, rows: stdout.split('\n').filter((line) => line.startsWith('{')) }
}

export type CommandStack = Awaited<ReturnType<typeof startCommandStack>>

type RunOptions = { readonly env?: Readonly<Record<string, string>>; readonly input?: string }

export type Finished = {
  /** Null if a signal has killed it. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** The lines of standard output with JSON objects. */
  readonly rows: readonly string[]
}
