import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs `pnpm scenario` as a process of its own, for the service at a port. */
export async function runScenario(args: readonly string[], port = '') {
  const env = { ...process.env, PORT: port, HOST: '' }
  const script = ['packages/localnet/src/scenario.ts', ...args]
  const done = promisify(execFile)(process.execPath, script, { cwd: root, env })
  return await done.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  )
}
