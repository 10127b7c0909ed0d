import { createSchema } from 'zod-openapi'
import { health } from '../health/toHealth.ts'
import { liveness, readiness } from '../health/toReadiness.ts'

const schemas = { Health: health, Liveness: liveness, Readiness: readiness }

/** Returns the schemas that the paths of health refer to, by name. */
export function listHealthSchemas(): Record<string, unknown> {
  return Object.assign({}, ...Object.values(schemas).map((schema) => createSchema(schema).components))
}

/**
 * Returns the paths of health, liveness and readiness, which need no key.
 *
 * @param headers the headers of every response
 * @param retryAfter the additional header of a 503
 */
export function createHealthPaths(headers: object, retryAfter: object) {
  const response = (schema: keyof typeof schemas, description: string, others: object = {}) => ({
    description,
    headers: { ...headers, ...others },
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  })
  const get = (operationId: string, operation: Described) => ({
    get: { operationId, tags: ['Health'], security: [], ...operation },
  })
  return {
    '/health': get('getHealth', {
      summary: 'Get the health of the service',
      description: 'Returns the state of the service, its chains and its stores. No key is required.',
      responses: {
        200: response('Health', 'The service is ok or degraded'),
        503: response(
          'Health',
          'The service is down: no chain is readable, or the key database is unreachable',
          retryAfter,
        ),
      },
    }),
    '/health/live': get('getLiveness', {
      summary: 'Get the liveness of the process',
      description:
        'Returns 200 as long as the process answers, for a supervisor that restarts the process. No key is required.',
      responses: { 200: response('Liveness', 'The process answers') },
    }),
    '/health/ready': get('getReadiness', {
      summary: 'Get the readiness of the process',
      description:
        'Returns 200 while a load balancer should send requests to this process, because it serves at least one chain and is not about to exit. No key is required.',
      responses: {
        200: response('Readiness', 'The process serves requests'),
        503: response('Readiness', 'The process is about to exit, or cannot serve any chain', retryAfter),
      },
    }),
  }
}

type Described = {
  readonly summary: string
  readonly description: string
  readonly responses: Record<string, unknown>
}
