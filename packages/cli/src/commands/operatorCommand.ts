import { createHash, randomBytes } from 'node:crypto'
import type { Command } from '@commander-js/extra-typings'
import { formatTable, Operator } from '@agio/localnet/stacks'
import { CommandError } from '../errors/CommandError.ts'
import { print } from '../output/print.ts'

/** Adds the command that creates an operator. It calls no service. */
export function addOperator(keys: Command): void {
  keys
    .command('operator')
    .description('Creates the secret of an operator, and its line for ADMIN_KEYS. Calls no service.')
    .argument('<name>', 'name of the operator, for the audit log')
    .option('--roles <roles>', `roles, separated by +: ${Operator.roles.join(', ')}`, 'read')
    .action((name, { roles }) => print(createOperator(name, roles)))
}

function createOperator(name: string, roleList: string): string {
  const roles = Operator.parseRoles(roleList)
  if (!roles)
    throw new CommandError(
      'input',
      `Cannot create an operator: pass --roles with one or more of ${Operator.roles.join(', ')}, separated by +`,
    )
  if (!Operator.isName(name))
    throw new CommandError(
      'input',
      'Cannot create an operator: the name must have 1 to 40 lower-case letters, digits, dots, underscores and hyphens',
    )
  const secret = `agio_op_${randomBytes(32).toString('base64url')}`
  const digest = createHash('sha256').update(secret).digest('hex')
  const rows = [
    ['X-Admin-Key', secret],
    ['ADMIN_KEYS', Operator.format({ name, roles, digests: [digest] })],
  ]
  return `${formatTable(rows)}\n\nThe secret is shown only once. To rotate a secret, add the new digest to the operator's line after a comma.`
}
