import { Network } from '@agio/core'
import { findLocalStack, formatHelp, parseSettings, type LocalStack } from '@agio/server/cli'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { localAccounts } from '../accounts/localAccounts.ts'
import { findTypedData, signTypedData } from '../accounts/signTypedData.ts'
import { signUnsigned } from '../accounts/signUnsigned.ts'
import { host } from '../node/assertPortFree.ts'
import { localnetSettings } from './localOptions.ts'

/** The usage of `pnpm sign`. */
export const signUsage = `pnpm sign [--account 1] < response.json

Signs the unsigned transaction in a response of the service with a well-known local account, and prints it. For a response of
approval/plan, it signs the first step. For typed data, it prints the signature.
Options:
  --account <n>   the account, 0 to ${localAccounts.length - 1}, default 1

Environment variables. Without these variables, the command uses the running pnpm start or pnpm localnet:
${formatHelp(localnetSettings)}`

/**
 * Signs the input: an unsigned transaction, with the next nonce of its local chain, or typed data.
 *
 * @returns the signed transaction, or the signature
 * @throws `Error` if the input holds neither, or if no local node responds for the transaction
 */
export async function runSignCommand(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const { account } = parseArgs({ args: [...args], options: { account: { type: 'string', default: '1' } } }).values
  const response = parse(await text(process.stdin))
  const typedData = findTypedData(response)
  if (typedData) return await signTypedData(typedData, Number(account))
  return await signUnsigned(response, { accountIndex: Number(account), rpcUrls: await findNodes(environment) })
}

async function findNodes(environment: NodeJS.ProcessEnv): Promise<LocalStack['rpcUrls']> {
  // With port 0 a node took any free port, which is unknown here.
  const isPortNamed = Number(environment['RPC_PORT'] || 0) !== 0
  const stack = isPortNamed ? undefined : await findLocalStack()
  if (stack) return stack.rpcUrls
  const { rpcPort } = isPortNamed ? parseSettings(localnetSettings, environment, 'sign').values : { rpcPort: undefined }
  return Network.map((chainId) => `http://${host}:${Network.toLocalRpcPort(chainId, rpcPort)}`)
}

function parse(input: string): unknown {
  try {
    return JSON.parse(input)
  } catch (cause) {
    throw new Error('Cannot sign: the input is not JSON', { cause })
  }
}
