import { z } from 'zod'
import type { Health } from './toHealth.ts'

/** The response of `/health/live`. */
export const liveness = z
  .object({ status: z.literal('live').meta({ description: 'Always live: the process answers', example: 'live' }) })
  .meta({ id: 'Liveness', description: 'Whether the process answers' })

/** The response of `/health/ready`. */
export const readiness = z
  .object({
    status: z.enum(['ready', 'draining', 'unavailable']).meta({
      description:
        'ready: send requests. draining: the process finishes its requests and exits. unavailable: the process cannot serve any chain',
      example: 'ready',
    }),
  })
  .meta({ id: 'Readiness', description: 'Whether a load balancer should send requests to this process' })

/** The body of `/health/ready`. */
export type Readiness = z.output<typeof readiness>

/**
 * Returns whether this process should receive requests. A single failing chain or a failing database does not change
 * readiness: the process continues to serve other chains and keys in memory.
 */
export function toReadiness({ chains }: Pick<Health, 'chains'>, isDraining: boolean): Readiness {
  if (isDraining) return { status: 'draining' }
  return { status: chains.some(({ available }) => available.length > 0) ? 'ready' : 'unavailable' }
}
