import type { Command } from '@commander-js/extra-typings'
import { formatTable } from '@agio/localnet/stacks'
import { print } from '../output/print.ts'
import { adminHelp, connectAdmin } from '../service/connectAdmin.ts'
import { jsonOption } from './options.ts'

/** Adds the command that lets the service back its database up. */
export function addBackup(program: Command): void {
  program
    .command('backup')
    .summary('back the embedded database up')
    .description(
      'Lets the service write a copy of its embedded database to a new file in its BACKUP_DIR. Needs an operator with the role backup.',
    )
    .addOption(jsonOption)
    .addHelpText('after', adminHelp)
    .action(async ({ json }) => {
      const created = await (await connectAdmin()).backups.create.mutate({})
      const rows = [
        ['File', `${created.file}, in BACKUP_DIR of the service`],
        ['Bytes', String(created.bytes)],
        ['Created at', created.createdAt],
      ]
      print(json ? JSON.stringify(created) : formatTable(rows))
    })
}
