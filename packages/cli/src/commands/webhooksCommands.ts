import type { Command } from '@commander-js/extra-typings'
import type { WebhookEventType } from '@agio/sdk'
import { connect } from '../service/connect.ts'
import { listen } from '../webhooks/listen.ts'
import { collect, parseWhole, stackOption } from './options.ts'

/** Adds the commands for webhooks. */
export function addWebhooksCommands(program: Command): void {
  program
    .command('webhooks')
    .summary('receive webhooks on this machine')
    .description('Receives the webhooks of the API key.')
    .command('listen')
    .summary('print the events of a receiver on this machine')
    .description(
      'Registers a receiver on this machine, verifies its events, and prints each as one JSON object a line, until Ctrl-C.',
    )
    .option('--event <type>', 'type of event to receive. Can be repeated. Default: all transaction events', collect)
    .option(
      '--forward-to <url>',
      'send each verified event on to this URL. It is acknowledged once the URL responds 2xx',
    )
    .option('--cursor <file>', 'keep the webhook and the acknowledged events in this file, to continue after a restart')
    .option('--port <n>', 'port of the receiver. Default: any free port', parseWhole)
    .option('--public-url <url>', 'URL at which the service reaches the receiver, for example of a tunnel')
    .addOption(stackOption)
    .action(async ({ event, forwardTo, cursor, port, publicUrl, ...options }) => {
      const { agio, url } = await connect(options)
      // The service refuses other types.
      const events = event as readonly WebhookEventType[] | undefined
      await listen(agio, { service: url, events, forwardTo, cursor, port, publicUrl })
    })
}
