import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

// Neither the stack's address nor its keys may come from the shell that runs the tests.
const unset = { PORT: '', HOST: '', RPC_PORT: '', AGIO_URL: '', ADMIN_KEY: '' }

/** Runs `pnpm scenario` as a child process: for the service at a port, or for the running `pnpm start`. */
export async function runScenario(args: readonly string[], port = ''): Promise<Finished> {
  return await run(['packages/localnet/src/scenario.ts', ...args], { env: { PORT: port } })
}

/** Runs `pnpm keys` as a child process. */
export async function runKeys(args: readonly string[], env: Environment = {}): Promise<Finished> {
  return await run(['packages/server/src/keys.ts', ...args], { env })
}

/** Runs `pnpm sign` as a child process. */
export async function runSign(unsigned: object): Promise<Finished> {
  return await run(['packages/localnet/src/sign.ts'], { env: {}, input: JSON.stringify(unsigned) })
}

type Environment = Readonly<Record<string, string>>

type Finished = { readonly code: number; readonly stdout: string; readonly stderr: string }

async function run(args: readonly string[], { env, input = '' }: { env: Environment; input?: string }) {
  return await new Promise<Finished>((resolve) => {
    const options = { cwd: root, env: { ...process.env, ...unset, ...env } }
    const child = execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
    child.stdin?.end(input)
  })
}
