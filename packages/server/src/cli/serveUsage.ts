import { formatHelp } from '../settings/formatSettings.ts'
import { serviceSettings } from '../settings/serviceSettings.ts'

/** The usage of `pnpm serve` and `pnpm serve:deno`. */
export const serveUsage = `pnpm serve, pnpm serve:deno

Serves the API on Node or on Deno, with settings from the environment. On Deno, the process has only the permissions that these
settings need. "pnpm serve:deno --print" prints the command with these permissions, for example for an init system.

${formatHelp(serviceSettings)}`
