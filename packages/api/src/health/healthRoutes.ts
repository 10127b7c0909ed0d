import { Hono } from 'hono'
import type { Health } from './toHealth.ts'
import { toReadiness } from './toReadiness.ts'

const retryAfter = { 'Retry-After': '1' }

/** Creates the routes of health, liveness and readiness. They need no key, and do not call a node or a database. */
export function healthRoutes({ readHealth, isDraining }: healthRoutes.Parts): Hono {
  const routes = new Hono()
  routes.get('/health', (c) => {
    const health = readHealth()
    return health.status === 'down' ? c.json(health, 503, retryAfter) : c.json(health)
  })
  routes.get('/health/live', (c) => c.json({ status: 'live' }))
  routes.get('/health/ready', (c) => {
    const readiness = toReadiness(readHealth(), isDraining())
    return readiness.status === 'ready' ? c.json(readiness) : c.json(readiness, 503, retryAfter)
  })
  return routes
}

export declare namespace healthRoutes {
  type Parts = {
    readonly readHealth: () => Health
    /** Whether the process is about to stop. */
    readonly isDraining: () => boolean
  }
}
