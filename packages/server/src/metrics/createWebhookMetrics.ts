import type { FinishedAttempt } from '@agio/store'
import { Counter, type Registry } from 'prom-client'

const outcomes = ['delivered', 'retried', 'given-up', 'disabled', 'lost'] as const satisfies readonly FinishedAttempt[]

/** Creates the metrics of webhooks, and returns a function that counts an attempt. */
export function createWebhookMetrics(registry: Registry): (finished: FinishedAttempt) => void {
  const attempts = new Counter({
    name: 'agio_webhook_attempts_total',
    help: 'Attempts to deliver a webhook message, by outcome: delivered, retried, given-up, disabled if the attempt disabled the webhook, lost if another process has taken over the delivery',
    labelNames: ['outcome'],
    registers: [registry],
  })
  for (const outcome of outcomes) attempts.inc({ outcome }, 0)
  return (outcome) => attempts.inc({ outcome })
}
