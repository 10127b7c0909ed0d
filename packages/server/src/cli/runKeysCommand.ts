import type { AppRouter } from '@agio/api'
import { createTRPCClient, httpLink, TRPCClientError, type TRPCClient } from '@trpc/client'
import { formatKey, formatKeys, formatSecret, formatStats } from './formatKeys.ts'
import { parseKeysCommand, type KeysCommand } from './parseKeysCommand.ts'

/**
 * Runs one command of `pnpm keys` against the service at `AGIO_URL`, as its operator.
 *
 * @returns what to show
 * @throws `Error` in one sentence: the usage, or what the service refuses
 */
export async function runKeysCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const command = parseKeysCommand(args)
  const { AGIO_URL, PORT, ADMIN_KEY } = environment
  const url = (AGIO_URL || `http://127.0.0.1:${PORT || 3000}`).replace(/\/+$/, '')
  if (!ADMIN_KEY) throw new Error('Cannot manage keys: set ADMIN_KEY to the admin key of the service')
  const client = createTRPCClient<AppRouter>({
    links: [httpLink({ url: `${url}/trpc`, headers: { 'x-admin-key': ADMIN_KEY } })],
  })
  try {
    return await call(client, command)
  } catch (error) {
    throw describe(error, url)
  }
}

async function call({ admin }: TRPCClient<AppRouter>, command: KeysCommand): Promise<string> {
  switch (command.name) {
    case 'issue':
      return formatSecret(await admin.keys.create.mutate(command.application))
    case 'list':
      return formatKeys((await admin.keys.list.query()).keys)
    case 'stats':
      return formatStats(await admin.stats.query(command.month === undefined ? {} : { month: command.month }))
    case 'rotate':
      return formatSecret(await admin.keys.rotate.mutate({ id: command.id, overlapSeconds: command.overlapSeconds }))
    default:
      return formatKey(await admin.keys.revoke.mutate({ id: command.id }))
  }
}

function describe(error: unknown, url: string): unknown {
  if (!(error instanceof TRPCClientError)) return error
  // Without a code it did not come from the service.
  const isAnswer = Boolean((error.data as { readonly code?: unknown } | null)?.code)
  return isAnswer ? error : new Error(`Cannot manage keys: no service answers at ${url}`, { cause: error })
}
