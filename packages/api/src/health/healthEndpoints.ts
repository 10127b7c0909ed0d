import { Hono } from 'hono'
import type { Health } from './toHealth.ts'
import { toReadiness } from './toReadiness.ts'

const retryAfter = { 'Retry-After': '1' }

/** Creates the endpoints of health, liveness and readiness. They need no key, and do not call a node or a database. */
export function healthEndpoints({ getHealth, isDraining }: healthEndpoints.Dependencies): Hono {
  const endpoints = new Hono()
  endpoints.get('/health', (c) => {
    const health = getHealth()
    return health.status === 'down' ? c.json(health, 503, retryAfter) : c.json(health)
  })
  endpoints.get('/health/live', (c) => c.json({ status: 'live' }))
  endpoints.get('/health/ready', (c) => {
    const readiness = toReadiness(getHealth(), isDraining())
    return readiness.status === 'ready' ? c.json(readiness) : c.json(readiness, 503, retryAfter)
  })
  return endpoints
}

export declare namespace healthEndpoints {
  type Dependencies = {
    readonly getHealth: () => Health
    /** Whether the process is about to stop. */
    readonly isDraining: () => boolean
  }
}
