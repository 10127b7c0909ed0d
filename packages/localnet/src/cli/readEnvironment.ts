type Environment = Readonly<Record<string, string | undefined>>

/** Reads a port from an environment variable; 0 stands for any free port. @throws `Error` that names the variable */
export function readPort(environment: Environment, { name, fallback, highest = 65_535 }: readPort.Variable): number {
  const value = environment[name] || `${fallback}`
  if (/^\d{1,5}$/.test(value) && Number(value) <= highest) return Number(value)
  throw new Error(`Cannot use ${name}: '${value}' is not a port from 0 to ${highest}`)
}

export declare namespace readPort {
  type Variable = { readonly name: string; readonly fallback: number; readonly highest?: number }
}

/** Reads where the service on the local chains listens. @throws `Error` that names the variable */
export function readAddress(environment: Environment): { readonly host: string; readonly port: number } {
  return {
    host: environment['HOST'] || '127.0.0.1',
    port: readPort(environment, { name: 'PORT', fallback: 3000 }),
  }
}

/** Reads whether the console is served. @throws `Error` that names the variable */
export function readConsoleSwitch(environment: Environment): boolean {
  const value = environment['CONSOLE'] || 'on'
  if (value === 'on' || value === 'off') return value === 'on'
  throw new Error(`Cannot use CONSOLE: '${value}' is neither on nor off`)
}

/** How many blocks the newest one must be after a block that is safe, by default. */
export const defaultFinalityBlocks = 5

/** Reads how far the tags `safe` and `finalized` stand behind the newest block. @throws `Error` that names the variable */
export function readFinalityBlocks(environment: Environment): number {
  const value = environment['FINALITY_BLOCKS'] || `${defaultFinalityBlocks}`
  if (/^\d{1,4}$/.test(value)) return Number(value)
  throw new Error(`Cannot use FINALITY_BLOCKS: '${value}' is not a number of blocks from 0 to 9999`)
}
