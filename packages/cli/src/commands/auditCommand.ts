import type { Command } from '@commander-js/extra-typings'
import { formatTable } from '@agio/localnet/stacks'
import { verifyAuditLog, type AgioAdmin, type AuditLog, type AuditVerification } from '@agio/sdk/admin'
import process from 'node:process'
import { CommandError } from '../errors/CommandError.ts'
import { jsonOption, parseWhole } from './options.ts'
import { print } from '../output/print.ts'

/** Adds the command that lists and verifies the audit log. */
export function addAudit(keys: Command, connectAdmin: () => Promise<AgioAdmin>): void {
  keys
    .command('audit')
    .description('Lists what operators and API keys changed, newest first, or verifies that the log is complete.')
    .option('--operator <name>', 'only changes by this operator')
    .option('--operation <name>', 'only changes by this operation, such as admin.keys.revoke')
    .option('--target <id>', 'only changes of this key, secret or pair')
    .option('--from <time>', 'only changes at or after this time, such as 2026-11-21T05:00:00Z')
    .option('--to <time>', 'only changes before this time')
    .option('--before <position>', 'only events before this position, for the next page', parseWhole)
    .option('--limit <n>', 'maximum number of events. Default: 100', parseWhole)
    .option('--verify', 'read the whole log and check its hashes. Fails if an event was changed, moved or removed')
    .option('--known <position:hash:removed>', 'with --verify: newest event of an earlier verification')
    .addOption(jsonOption)
    .action(async ({ verify, known, json, ...filter }) => {
      const isFiltered = Object.keys(filter).length > 0
      if (verify && isFiltered)
        throw new CommandError('input', 'Cannot verify a part of the audit log: pass --verify without filters')
      if (known !== undefined && !verify) throw new CommandError('input', 'Pass --known together with --verify')
      const link = known === undefined ? undefined : parseLink(known)
      const admin = await connectAdmin()
      if (verify) {
        const result = await verifyAuditLog((page) => admin.audit.query(page), { known: link })
        print(json ? JSON.stringify(result) : formatVerification(result))
        if (result.fault) process.exitCode = 1
        return
      }
      const log = await admin.audit.query(filter)
      print(json ? JSON.stringify(log) : formatEvents(log))
    })
}

function parseLink(text: string) {
  // Earlier versions printed no third number.
  const [, position = '', hash = '', removed] = /^(\d{1,15}):([0-9a-f]{64})(?::(\d{1,15}))?$/.exec(text) ?? []
  if (hash === '') throw new CommandError('input', 'Cannot read --known: pass the newest event as --verify printed it')
  return { position: Number(position), hash, removed: removed === undefined ? undefined : Number(removed) }
}

function formatVerification({ newest, removed, count, fault }: AuditVerification): string {
  const rows = [
    ['Events', String(count)],
    ...(removed.position === 0 ? [] : [['Removed', `up to ${removed.position}`]]),
    ['Newest', `${newest.position}:${newest.hash}:${removed.position}`],
  ]
  const verdict = fault
    ? `The log is not as it was written. First fault: event ${fault.position} was ${fault.kind === 'changed' ? 'changed or moved' : 'removed'}.`
    : `The log is complete${removed.position === 0 ? '' : ` after event ${removed.position}`}. Keep the newest event, and pass it as --known next time.`
  return `${formatTable(rows)}\n\n${verdict}`
}

function formatEvents({ events }: AuditLog): string {
  const header = ['Position', 'Time', 'Operator', 'Operation', 'Target', 'Fields', 'Address', 'Request']
  const rows = events.map(({ position, time, operator, operation, target, fields, address, requestId }) => [
    String(position),
    time,
    operator,
    operation,
    target,
    fields.join(', '),
    address,
    requestId,
  ])
  return formatTable([header, ...rows])
}
