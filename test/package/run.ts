import { execFile } from 'node:child_process'
import process from 'node:process'

/** The variables through which the package manager, the test runner and Node.js would affect the command. */
const foreign = /^(npm_(?!config_)|pnpm_|vitest|node_(env|options|path|compile_cache)$)/i

/** Runs a command in a folder to its end, as if it were run in a terminal. */
export function run(command: string, args: readonly string[], { cwd, env = {} }: run.Options): Promise<run.Result> {
  const inherited = Object.entries(process.env).filter(([name]) => !foreign.test(name))
  const options = { cwd, env: { ...Object.fromEntries(inherited), ...env }, maxBuffer: 2 ** 26 }
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      resolve({ code: error ? (typeof error.code === 'number' ? error.code : 1) : 0, stdout, stderr })
    })
  })
}

export declare namespace run {
  type Options = { readonly cwd: string; readonly env?: Readonly<Record<string, string>> }
  type Result = { readonly code: number; readonly stdout: string; readonly stderr: string }
}

/** Runs a command in a folder, and returns what it prints. @throws `Error` with all that it printed, if it fails */
export async function runOrThrow(command: string, args: readonly string[], options: run.Options): Promise<string> {
  const { code, stdout, stderr } = await run(command, args, options)
  if (code === 0) return stdout
  throw new Error(`Cannot run ${command} ${args.join(' ')}: exit code ${code}\n${stdout}${stderr}`)
}
