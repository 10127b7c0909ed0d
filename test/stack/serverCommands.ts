import { createRequire } from 'node:module'
import process from 'node:process'

// The command of the package is a script around the binary, and passes no signal on.
const deno = createRequire(new URL('../../package.json', import.meta.url)).resolve('deno/deno')

/** How the service is started on each runtime, in the root of the repository. */
export const serverCommands = {
  Node: [process.execPath, 'packages/server/src/node.ts'],
  Deno: [deno, 'run', '--allow-all', 'packages/server/src/deno.ts'],
} as const
