import type { Health } from '../../health/toHealth.ts'
import type { TopicWatch } from '../TopicWatch.ts'

/** Watches the health of the service: an event for each change, except changes of ages, times and blocks. */
export function createHealthWatch(readHealth: () => Health): TopicWatch {
  let sent: string | undefined
  return {
    topic: 'health',
    chain: undefined,
    isDue: () => toState(readHealth()) !== sent,
    async read() {
      const health = readHealth()
      sent = toState(health)
      return [{ data: health }]
    },
  }
}

function toState({ timestamp: _, uptime: __, ...health }: Health): string {
  const chains = health.chains.map(({ blockNumber: ___, blockAgeSeconds: ____, ...chain }) => chain)
  return JSON.stringify({ ...health, chains })
}
