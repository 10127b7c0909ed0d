import type { Command } from '@commander-js/extra-typings'
import { formatTable } from '@agio/localnet/stacks'
import type { LoggedRequest } from '@agio/sdk'
import type { AgioAdmin, LoggedKeyRequest } from '@agio/sdk/admin'
import { print, printRecords } from '../output/print.ts'
import { connect } from '../service/connect.ts'
import { parseHash } from '../service/tokens.ts'
import { jsonOption, parseWhole, stackOption } from './options.ts'

/** Adds the command that lists the latest requests of the API key. */
export function addRequests(program: Command): void {
  withFilters(program.command('requests'))
    .summary('list the latest requests of the API key')
    .description('Lists the logged requests of the API key, newest first.')
    .addOption(stackOption)
    .addOption(jsonOption)
    .action(async ({ stack, json, ...filter }) => {
      const { agio } = await connect({ stack })
      const { requests } = await agio.api.usage.requests.query(toFilter(filter))
      printRecords(requests, { json }, columns)
    })
}

/** Adds the command that lists the latest requests of a key or of all keys, for operators. */
export function addKeyRequests(keys: Command, connectAdmin: () => Promise<AgioAdmin>): void {
  withFilters(keys.command('requests'))
    .description('Lists the logged requests of a key or of all keys, newest first.')
    .argument('[id]', 'id of the key. Default: all keys')
    .addOption(jsonOption)
    .action(async (keyId, { json, ...filter }) => {
      const admin = await connectAdmin()
      const listed = await admin.requests.query({ keyId, ...toFilter(filter) })
      print(json ? JSON.stringify(listed) : formatRequests(listed.requests))
    })
}

function withFilters(command: Command) {
  return command
    .option('--from <time>', 'only at this time or later, for instance 2026-11-21T15:00:00Z')
    .option('--to <time>', 'only before this time')
    .option('--operation <name>', 'only this operation, for instance convert.preview')
    .option('--status <n>', 'only this HTTP status', parseWhole)
    .option('--code <code>', 'only this error code')
    .option('--request-id <id>', 'only the request with this id')
    .option('--transaction <hash>', 'only requests that name or send this transaction')
    .option('--before <id>', 'only before the request with this id, for the next page')
    .option('--limit <n>', 'maximum number of requests. Default: 100', parseWhole)
}

type Filter = Parameters<AgioAdmin['requests']['query']>[0] & object

type FilterOptions = Omit<Filter, 'code' | 'transactionHash' | 'keyId'> & {
  readonly code?: string | undefined
  readonly transaction?: string | undefined
}

function toFilter({ code, transaction, ...filter }: FilterOptions) {
  return {
    ...filter,
    // The service refuses other codes.
    code: code as Filter['code'],
    transactionHash: transaction === undefined ? undefined : parseHash(transaction),
  }
}

const columns = {
  Time: ({ at }: LoggedRequest) => at,
  Request: ({ requestId }: LoggedRequest) => requestId,
  Operation: ({ operation }: LoggedRequest) => operation,
  Status: ({ status }: LoggedRequest) => status,
  Code: ({ code }: LoggedRequest) => code,
  Ms: ({ durationMs }: LoggedRequest) => Math.round(durationMs.total),
  Input: ({ input }: LoggedRequest) => input && JSON.stringify(input),
  Works: ({ nearestInput }: LoggedRequest) => nearestInput && JSON.stringify(nearestInput),
}

function formatRequests(requests: readonly LoggedKeyRequest[]): string {
  const rows = requests.map((request) => [
    request.keyId,
    ...Object.values(columns).map((toCell) => String(toCell(request) ?? '-')),
  ])
  return formatTable([['Key', ...Object.keys(columns)], ...rows])
}
