import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { killOnExit } from '../../harness/killOnExit.ts'

/** Starts the server of the example for web pages, in a project where they are built, on a free port. */
export async function startPageServer(
  folder: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<PageServer> {
  const env = { ...process.env, PORT: '0', ...variables }
  const child = spawn(process.execPath, ['server.ts'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  killOnExit(child)
  const exited = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    const origin = /^ready at (\S+)$/.exec(line)?.[1]
    if (origin === undefined) continue
    return {
      origin,
      async [Symbol.asyncDispose]() {
        child.kill('SIGKILL')
        await exited
      },
    }
  }
  throw new Error('Cannot start the server of the example: it has ended')
}

/** A running server of the pages. */
export type PageServer = AsyncDisposable & { readonly origin: string }
