import type { Command } from '@commander-js/extra-typings'
import { readAllKeys, type IssueApiKeyInput } from '@agio/sdk/admin'
import { CommandError } from '../errors/CommandError.ts'
import { addAudit } from './auditCommand.ts'
import { addOperator } from './operatorCommand.ts'
import { toAccessChanges, withAccess } from './keyAccess.ts'
import { formatKeys, formatQuoteSecret, formatSecret, formatStats } from './keyTables.ts'
import { jsonOption, parseWhole } from './options.ts'
import { addKeyRequests } from './requestsCommands.ts'
import { print } from '../output/print.ts'
import { adminHelp, connectAdmin } from '../service/connectAdmin.ts'

/** Adds the commands for API keys, which need the admin key. */
export function addKeysCommands(program: Command): void {
  const keys = program
    .command('keys')
    .summary('create, list, change, rotate and revoke API keys, create operators, and read the audit log')
    .description('Manages API keys. Without ADMIN_KEY and AGIO_URL, the commands use the running local stack.')
  addIssue(keys)
  addUpdate(keys)
  keys
    .command('list')
    .description('Lists the keys and their owners.')
    .addOption(jsonOption)
    .action(async ({ json }) => {
      const admin = await connectAdmin()
      const list = await readAllKeys((page) => admin.keys.list.query({ page }))
      printResult(json, list, () => formatKeys(list.keys))
    })
  keys
    .command('stats')
    .description('Prints the usage of each key in a month.')
    .option('--month <YYYY-MM>', 'month in UTC. Default: the current month')
    .addOption(jsonOption)
    .action(async ({ month, json }) => {
      const admin = await connectAdmin()
      const stats = await readAllKeys((page) => admin.stats.query({ month, page }))
      printResult(json, stats, () => formatStats(stats))
    })
  addKeyRequests(keys, connectAdmin)
  keys
    .command('rotate')
    .description('Gives a key a new secret.')
    .argument('<id>', 'id of the key')
    .option('--overlap-hours <n>', 'hours for which the old secret works', parseWhole, 24)
    .addOption(jsonOption)
    .action(async (id, { overlapHours, json }) => {
      const admin = await connectAdmin()
      const rotated = await admin.keys.rotate.mutate({ id, overlapSeconds: overlapHours * 3600 })
      printResult(json, rotated, () => formatSecret(rotated))
    })
  keys
    .command('revoke')
    .description('Revokes a key for good.')
    .argument('<id>', 'id of the key')
    .addOption(jsonOption)
    .action(async (id, { json }) => {
      const revoked = await (await connectAdmin()).keys.revoke.mutate({ id })
      printResult(json, revoked, () => formatKeys([revoked]))
    })
  keys
    .command('rotate-quote-secret')
    .description('Replaces the secret that signs quotes. Quotes stay valid: a replaced secret verifies for 90 days.')
    .addOption(jsonOption)
    .action(async ({ json }) => {
      const secret = await (await connectAdmin()).quotes.rotateSecret.mutate({})
      printResult(json, secret, () =>
        formatQuoteSecret(secret, 'Quotes stay valid: a replaced secret verifies for 90 days.'),
      )
    })
  keys
    .command('revoke-quote-secrets')
    .description('Replaces all secrets that sign quotes, after a leak. No earlier quote stays valid.')
    .addOption(jsonOption)
    .action(async ({ json }) => {
      const secret = await (await connectAdmin()).quotes.revokeSecrets.mutate({})
      printResult(json, secret, () =>
        formatQuoteSecret(secret, 'Earlier quotes are invalid in every process within two seconds.'),
      )
    })
  keys
    .command('erase')
    .description('Erases the name, company, e-mail address and use of a key, and revokes it. Its usage remains.')
    .argument('<id>', 'id of the key')
    .addOption(jsonOption)
    .action(async (id, { json }) => {
      const erased = await (await connectAdmin()).keys.erase.mutate({ id })
      printResult(json, erased, () => formatKeys([erased]))
    })
  addAudit(keys, connectAdmin)
  for (const command of keys.commands) command.addHelpText('after', adminHelp)
  addOperator(keys)
}

function addIssue(keys: Command): void {
  const command = keys
    .command('issue')
    .description('Creates a key. Its secret is printed once.')
    .requiredOption('--name <text>', 'name of the customer')
    .requiredOption('--email <address>', 'e-mail address of the customer')
    .requiredOption('--use-case <text>', 'what the customer does')
    .requiredOption('--volume <text>', 'expected volume')
    .option('--company <text>', 'company of the customer')
    .option('--tier <tier>', 'standard, sandbox, staging or production. Default: standard')
    .option('--requests <n>', 'for production: requests in a window', parseWhole)
    .option('--window-seconds <n>', 'for production: length of the window', parseWhole)
    .option('--burst <n>', 'for production: requests in a second', parseWhole)
    .option('--quota <n>', 'for production: requests in a month', parseWhole)
    .option('--kind <kind>', 'secret, or publishable for pages. Default: secret')
  withAccess(command)
    .addOption(jsonOption)
    .action(async ({ name, company, email, useCase, volume, tier, kind, json, ...options }) => {
      const { requests, windowSeconds, burst, quota } = options
      const limits = toLimits({ requests, 'window-seconds': windowSeconds, burst, quota })
      const admin = await connectAdmin()
      const issued = await admin.keys.create.mutate({
        name,
        company,
        email,
        useCase,
        expectedVolume: volume,
        ...withoutNull(toAccessChanges(options)),
        // The service refuses other kinds.
        kind: kind as IssueApiKeyInput['kind'],
        // The service refuses other tiers.
        tier: tier as IssueApiKeyInput['tier'],
        limits,
      })
      printResult(json, issued, () => formatSecret(issued))
    })
}

function addUpdate(keys: Command): void {
  const command = keys
    .command('update')
    .description('Changes a key. The text none removes a restriction.')
    .argument('<id>', 'id of the key')
    .option('--name <text>', 'name of the customer')
    .option('--email <address>', 'e-mail address of the customer')
    .option('--use-case <text>', 'what the customer does')
    .option('--volume <text>', 'expected volume')
    .option('--company <text>', 'company of the customer')
  withAccess(command)
    .addOption(jsonOption)
    .action(async (id, { name, email, useCase, volume, company, json, ...options }) => {
      const admin = await connectAdmin()
      const updated = await admin.keys.update.mutate({
        id,
        name,
        email,
        useCase,
        company,
        expectedVolume: volume,
        ...toAccessChanges(options),
      })
      printResult(json, updated, () => formatKeys([updated]))
    })
}

/** Returns the fields of an object without those that are null. */
function withoutNull<Fields extends object>(fields: Fields) {
  const entries = Object.entries(fields).filter(([, value]) => value !== null)
  return Object.fromEntries(entries) as { readonly [Name in keyof Fields]: Exclude<Fields[Name], null> }
}

function toLimits(options: Readonly<Record<string, number | undefined>>): IssueApiKeyInput['limits'] {
  const values = Object.entries(options)
  if (values.every(([, value]) => value === undefined)) return undefined
  const missing = values.find(([, value]) => value === undefined)
  if (missing) throw new CommandError('input', `Cannot create a key: --${missing[0]} is missing`)
  const [requests = 0, windowSeconds = 0, burstPerSecond = 0, monthlyQuota = 0] = values.map(([, value]) => value)
  return { requests, windowSeconds, burstPerSecond, monthlyQuota }
}

/** Prints text, also into a pipe: operators read it. */
function printResult(json: true | undefined, result: object, format: () => string): void {
  print(json ? JSON.stringify(result) : format())
}
