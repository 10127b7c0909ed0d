import type { AppRouter } from '@agio/api'
import { createTRPCClient, httpLink, TRPCClientError, type TRPCClient } from '@trpc/client'
import { findLocalStack, type LocalStack } from '../cli/localStack.ts'
import { parseSettings } from '../settings/defineSettings.ts'
import { serviceSettings } from '../settings/serviceSettings.ts'
import { keysSettings, parseKeysCommand, type KeysCommand } from './parseKeysCommand.ts'
import type { inferRouterOutputs } from '@trpc/server'
import { formatTable } from '../cli/formatTable.ts'

/**
 * Runs one command of `pnpm keys` against the service at `AGIO_URL`, or against the running `pnpm start`.
 *
 * @returns the text to print
 * @throws `Error` with the usage, or with the error message of the service
 */
export async function runKeysCommand(args: readonly string[], environment: Environment): Promise<string> {
  const command = parseKeysCommand(args)
  const { url, adminKey } = await findService(environment)
  const client = createTRPCClient<AppRouter>({
    links: [httpLink({ url: `${url}/trpc`, headers: { 'x-admin-key': adminKey } })],
  })
  try {
    return await call(client, command)
  } catch (error) {
    throw describe(error, url)
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** Returns the service to manage. The local admin key is only used if a file shows that `pnpm start` is running. */
async function findService(environment: Environment): Promise<NonNullable<LocalStack['service']>> {
  const { adminKey, ...values } = parseSettings(keysSettings, environment, 'manage keys').values
  if (adminKey !== undefined) {
    const url = values.url ?? `http://127.0.0.1:${values.port ?? serviceSettings.port.default}`
    return { url: url.replace(/\/+$/, ''), adminKey }
  }
  const service = values.url === undefined ? (await findLocalStack())?.service : undefined
  if (!service) throw new Error('Cannot manage keys: set ADMIN_KEY to the admin key of the service, or run pnpm start')
  const { port } = new URL(service.url)
  // If PORT belongs to another service, the command must not change this service.
  if (values.port === undefined || values.port === port) return service
  throw new Error(
    `Cannot manage keys: pnpm start serves on port ${port}, not on PORT=${values.port}. Set ADMIN_KEY for the service on port ${values.port}, or unset PORT`,
  )
}

async function call({ admin }: TRPCClient<AppRouter>, command: KeysCommand): Promise<string> {
  switch (command.name) {
    case 'issue':
      return formatSecret(await admin.keys.create.mutate(command.application))
    case 'list':
      return formatKeys((await readAllKeys((page) => admin.keys.list.query({ page }))).keys)
    case 'stats':
      return formatStats(await readAllKeys((page) => admin.stats.query({ month: command.month, page })))
    case 'rotate':
      return formatSecret(await admin.keys.rotate.mutate({ id: command.id, overlapSeconds: command.overlapSeconds }))
    case 'rotate-quote-secret':
      return formatQuoteSecret(await admin.quotes.rotateSecret.mutate())
    default:
      return formatKey(await admin.keys.revoke.mutate({ id: command.id }))
  }
}

/** Reads all pages. Returns the response of the first page, with the keys of all pages. */
async function readAllKeys<List extends Answers['keys']['list'] | Answers['stats']>(
  readPage: (page: number) => Promise<List>,
): Promise<List> {
  const first = await readPage(1)
  // By id, because a key that is created meanwhile moves others to a later page.
  const keys = new Map(first.keys.map((key) => [key.id, key]))
  let { pagination } = first
  for (let page = 2; (page - 1) * pagination.limit < pagination.total; page += 1) {
    const next = await readPage(page)
    for (const key of next.keys) keys.set(key.id, key)
    pagination = next.pagination
  }
  return { ...first, keys: [...keys.values()] }
}

function describe(error: unknown, url: string): unknown {
  if (!(error instanceof TRPCClientError)) return error
  // Only the service's own errors have a code.
  const isAnswer = Boolean((error.data as { readonly code?: unknown } | null)?.code)
  return isAnswer ? error : new Error(`Cannot manage keys: no service responds at ${url}`, { cause: error })
}

type Answers = inferRouterOutputs<AppRouter>['admin']

type Key = Answers['keys']['list']['keys'][number]

/** Formats a key that was just created or rotated, with its secret. */
function formatSecret(key: Answers['keys']['create'] & { readonly oldKeysExpireAt?: string }): string {
  const rows = [
    ['X-API-Key', key.key],
    ['Id', key.id],
    ['Tier', key.tier],
    ...(key.oldKeysExpireAt === undefined ? [] : [['Old secrets expire', key.oldKeysExpireAt]]),
  ]
  return `${formatTable(rows)}\n\nThe secret is shown only once: the service stores only its hash.`
}

/** Formats the rotated quote secret. The service does not return the secret itself. */
function formatQuoteSecret({ id, signsFrom }: Answers['quotes']['rotateSecret']): string {
  const rows = [
    ['Quote secret', id],
    ['Signs from', signsFrom],
  ]
  return `${formatTable(rows)}\n\nQuotes stay valid: a replaced secret verifies for 90 days.`
}

/** Formats one key. */
function formatKey(key: Key): string {
  return formatKeys([key])
}

/** Formats keys with their applications as a table. */
function formatKeys(keys: readonly Key[]): string {
  const header = ['Id', 'Prefix', 'Name', 'Company', 'E-mail', 'Use case', 'Volume', 'Tier', 'Created', 'Revoked']
  const rows = keys.map((key) => [
    key.id,
    key.prefix,
    key.name,
    key.company ?? '-',
    key.email,
    key.useCase,
    key.expectedVolume,
    formatTier(key),
    toMinute(key.createdAt),
    toMinute(key.revokedAt),
  ])
  return formatTable([header, ...rows])
}

/** Formats the usage of each key in a month as a table. */
function formatStats({ month, totals, keys }: Answers['stats']): string {
  const header = ['Id', 'Name', 'Tier', 'Last used', 'Calls', 'Refused', 'Quota', 'Remaining', 'By operation']
  const rows = keys.map((key) => [
    key.id,
    key.name,
    key.revokedAt === undefined ? key.tier : `${key.tier} (revoked)`,
    toMinute(key.lastUsedAt),
    String(key.calls),
    String(key.refused),
    String(key.quota ?? '-'),
    String(key.remaining ?? '-'),
    formatOperations(key.callsByOperation),
  ])
  return `${month}: ${totals.calls} calls, ${totals.refused} refused\n\n${formatTable([header, ...rows])}`
}

/** The tier, with the limits of a key that has its own. */
function formatTier({ tier, limits }: Key): string {
  if (!limits) return tier
  const { requests, windowSeconds, burstPerSecond, monthlyQuota } = limits
  return `${tier} (${requests} per ${windowSeconds} s, ${burstPerSecond} per s, ${monthlyQuota} per month)`
}

function formatOperations(calls: Readonly<Record<string, number>>): string {
  const counts = Object.entries(calls).map(([operation, count]) => `${operation} ${count}`)
  return counts.join(', ') || '-'
}

function toMinute(time = '-'): string {
  return time.replace(/:\d\d\.\d+Z$/, 'Z')
}
