import type { Command } from '@commander-js/extra-typings'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { connect } from '../service/connect.ts'
import { forwardMessage } from '../service/forwardMessage.ts'
import { stackOption } from './options.ts'
import { print } from '../output/print.ts'

/** Adds the command that connects an agent's program to the service. */
export function addMcp(program: Command): void {
  program
    .command('mcp')
    .summary('serve agents on standard input and output')
    .description(
      'Forwards the messages of an agent between standard input and output and the service, by the Model Context Protocol, until the input ends.',
    )
    .addOption(stackOption)
    .action(async (options) => {
      const { url, apiKey, stack } = await connect(options)
      const service = { url, apiKey, adminKey: stack?.service?.adminKey }
      const open = new Set<Promise<void>>()
      for await (const line of createInterface({ input: process.stdin })) {
        if (line.trim() === '') continue
        const forwarded = forwardMessage(service, line, print)
        open.add(forwarded)
        void forwarded.finally(() => open.delete(forwarded))
      }
      await Promise.all(open)
    })
}
