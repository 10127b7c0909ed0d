import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { Registry } from 'prom-client'
import { formatStartError } from '../serving/serving.ts'
import type { Settings } from '../settings/Settings.ts'

/**
 * Serves the metrics of all workers on `METRICS_PORT`, from the supervisor. If the workers listened, the system would also pass
 * scrapes to a worker that hangs.
 *
 * @throws `Error` if the port is taken
 */
export async function serveMetrics(collect: () => Promise<string>, options: serveMetrics.Options): Promise<Server> {
  const { host, port, maxConnections, clientTimeoutMs } = options
  const server = createServer({ headersTimeout: clientTimeoutMs, requestTimeout: clientTimeoutMs })
  server.maxConnections = maxConnections
  server.on('request', async ({ url }, response) => {
    if (url?.split('?', 1)[0] !== '/metrics') response.writeHead(404).end('The metrics are at /metrics\n')
    else response.setHeader('content-type', Registry.PROMETHEUS_CONTENT_TYPE).end(await collect())
  })
  server.listen({ host, port })
  await once(server, 'listening').catch((cause: unknown) => {
    throw new Error(formatStartError(cause, { variable: 'METRICS_PORT', port }), { cause })
  })
  return server
}

export declare namespace serveMetrics {
  type Options = Pick<Settings, 'host' | 'port' | 'maxConnections' | 'clientTimeoutMs'>
}
