import { parseArgs } from 'node:util'

const usage = 'pnpm contracts:deploy --network <name> [--dollars-per-side 1000000]'

/** What the command line of a deployment asks for. @throws `Error` that shows the usage */
export function readDeployOptions(args: readonly string[]): readDeployOptions.Result {
  const { network, 'dollars-per-side': dollars } = parse(args)
  if (!network) throw new Error(`Cannot deploy: no network is named. Usage: ${usage}`)
  if (dollars === undefined) return { network }
  if (/^[1-9]\d{0,11}$/.test(dollars)) return { network, dollarsPerSide: Number(dollars) }
  throw new Error(`Cannot deploy: '${dollars}' is not a number of whole dollars. Usage: ${usage}`)
}

export declare namespace readDeployOptions {
  type Result = { readonly network: string; readonly dollarsPerSide?: number }
}

function parse(args: readonly string[]) {
  try {
    const options = { network: { type: 'string' }, 'dollars-per-side': { type: 'string' } } as const
    return parseArgs({ args: args.filter((argument) => argument !== '--'), options }).values
  } catch (cause) {
    throw new Error(`Cannot deploy: ${(cause as Error).message}. Usage: ${usage}`, { cause })
  }
}
