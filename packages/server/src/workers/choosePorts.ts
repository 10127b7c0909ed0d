import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { formatStartError } from '../serving/serving.ts'

/**
 * Returns the ports of all workers, as their environment variables: a free port where the settings have 0. Workers would share a port
 * with another service of the same user that shares it too.
 *
 * @throws `Error` if a port is taken
 */
export async function choosePorts({
  host,
  port,
  metricsPort,
}: choosePorts.Settings): Promise<Readonly<Record<string, string>>> {
  return {
    PORT: await choosePort(host, { variable: 'PORT', port }),
    ...(metricsPort !== undefined && {
      METRICS_PORT: await choosePort(host, { variable: 'METRICS_PORT', port: metricsPort }),
    }),
  }
}

export declare namespace choosePorts {
  /** 0 for any free port. */
  type Settings = { readonly host: string; readonly port: number; readonly metricsPort?: number | undefined }
}

async function choosePort(host: string, subject: formatStartError.Port): Promise<string> {
  const server = createServer()
  try {
    server.listen({ host, port: subject.port, exclusive: true })
    await once(server, 'listening')
    return String((server.address() as AddressInfo).port)
  } catch (cause) {
    throw new Error(formatStartError(cause, subject), { cause })
  } finally {
    server.close()
  }
}
