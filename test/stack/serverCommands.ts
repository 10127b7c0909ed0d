import { createRequire } from 'node:module'
import process from 'node:process'

// The bin script of the package does not forward signals to the binary.
const deno = createRequire(new URL('../../package.json', import.meta.url)).resolve('deno/deno')

/** The command that starts the service on each runtime, in the root of the repository. */
export const serverCommands = {
  Node: [process.execPath, 'packages/server/src/node.ts'],
  Deno: [deno, 'run', '--allow-all', 'packages/server/src/deno.ts'],
} as const
