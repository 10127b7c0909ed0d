import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

// Neither the stack's address nor its keys may come from the shell that runs the tests.
const unset = { PORT: '', HOST: '', RPC_PORT: '', AGIO_URL: '', ADMIN_KEY: '', AGIO_STACK: '' }

/** Runs `agio scenario` as a child process, for the stack that the environment names. */
export async function runScenario(args: readonly string[], env: Environment = {}): Promise<Finished> {
  return await run(['scenario', ...args], { env })
}

/** Runs `agio keys` as a child process. */
export async function runKeys(args: readonly string[], env: Environment = {}): Promise<Finished> {
  return await run(['keys', ...args], { env })
}

/** Runs `agio sign` as a child process. */
export async function runSign(unsigned: object, env: Environment = {}): Promise<Finished> {
  return await run(['sign'], { env, input: JSON.stringify(unsigned) })
}

type Environment = Readonly<Record<string, string>>

type Finished = { readonly code: number; readonly stdout: string; readonly stderr: string }

async function run(args: readonly string[], { env, input = '' }: { env: Environment; input?: string }) {
  return await new Promise<Finished>((resolve) => {
    const options = { cwd: root, env: { ...process.env, ...unset, ...env } }
    const child = execFile(process.execPath, ['packages/cli/src/main.ts', ...args], options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
    child.stdin?.end(input)
  })
}
