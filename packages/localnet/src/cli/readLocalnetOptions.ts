import { chainIds, defaultFirstRpcPort } from '@agio/core'
import { parseArgs } from 'node:util'
import type { startLocalnet } from '../startLocalnet.ts'
import { parseForks } from './parseForks.ts'
import { readPort } from './readPort.ts'

/** What a command line and its environment ask of the local chains. @throws `Error` if they make no sense */
export function readLocalnetOptions(args: readonly string[]): startLocalnet.Options {
  // The other chains take the next ports.
  const rpcPort = readPort('RPC_PORT', defaultFirstRpcPort, 65_536 - chainIds.length)
  return { rpcPort, forks: parseForks(readForks(args)) }
}

function readForks(args: readonly string[]): readonly string[] {
  try {
    // npm wants a `--` before a script's own options, pnpm hands it on.
    const own = args.filter((argument) => argument !== '--')
    return parseArgs({ args: own, options: { fork: { type: 'string', multiple: true } } }).values.fork ?? []
  } catch (cause) {
    throw new Error(`Cannot start: ${(cause as Error).message}`, { cause })
  }
}
