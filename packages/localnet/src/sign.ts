// `pnpm sign`: a wallet for trying the service out. Signs what the service has built, read from standard input, with one
// of the well-known accounts, and prints the signed transaction. Never use it with money.
import { defaultFirstRpcPort } from '@agio/core'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { signUnsigned } from './accounts/signUnsigned.ts'
import { readPort } from './cli/readPort.ts'

try {
  const { values } = parseArgs({ options: { account: { type: 'string', default: '1' } } })
  const answer: unknown = JSON.parse(await text(process.stdin))
  console.log(
    await signUnsigned(answer, {
      accountIndex: Number(values.account),
      rpcPort: readPort('RPC_PORT', defaultFirstRpcPort),
    }),
  )
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
