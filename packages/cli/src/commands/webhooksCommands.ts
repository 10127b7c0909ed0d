import type { Command } from '@commander-js/extra-typings'
import type { WebhookEventType } from '@agio/sdk'
import { printRecord } from '../output/print.ts'
import { connect } from '../service/connect.ts'
import { listen } from '../webhooks/listen.ts'
import { addServiceCommand, collect, parseWhole, stackOption } from './options.ts'

/** Adds the commands for webhooks. */
export function addWebhooksCommands(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .summary('receive and test webhooks')
    .description('Receives and tests the webhooks of the API key.')
  addServiceCommand(webhooks, 'test')
    .summary('send a test event to a webhook')
    .description('Sends a `webhook.test` event to a webhook, and prints its delivery.')
    .argument('<id>', 'id of the webhook')
    .action(async (id, options) => {
      const { agio } = await connect(options)
      const delivery = await agio.api.webhooks.test.mutate({ id })
      printRecord(delivery, options, () => [
        ['Event', delivery.id],
        ['State', delivery.status],
        ['Reason', delivery.lastError],
      ])
    })
  webhooks
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
