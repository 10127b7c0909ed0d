import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { formatStartError } from '../serving/serving.ts'

/**
 * Returns the ports of all workers, with a free port in place of 0. Checks that the ports are free: workers would
 * otherwise share a port with another service of the same user.
 *
 * @throws `Error` if a port is taken
 */
export async function choosePorts(options: choosePorts.Options): Promise<Ports> {
  const { host, port, adminHost, adminPort } = options
  return {
    port: await choosePort(host, { variable: 'PORT', port }),
    adminPort:
      adminPort === undefined ? undefined : await choosePort(adminHost, { variable: 'ADMIN_PORT', port: adminPort }),
  }
}

export declare namespace choosePorts {
  /** 0 for any free port. */
  type Options = Ports & { readonly host: string; readonly adminHost: string }
}

type Ports = {
  readonly port: number
  readonly adminPort?: number | undefined
}

/** Returns the environment variables that set these ports. The supervisor serves the metrics itself. */
export function toPortVariables({ port, adminPort }: Ports): Readonly<Record<string, string>> {
  return {
    PORT: String(port),
    METRICS_PORT: '',
    ...(adminPort !== undefined && { ADMIN_PORT: String(adminPort) }),
  }
}

async function choosePort(host: string, port: formatStartError.Port): Promise<number> {
  const server = createServer()
  try {
    server.listen({ host, port: port.port, exclusive: true })
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  } catch (cause) {
    throw new Error(formatStartError(cause, port), { cause })
  } finally {
    server.close()
  }
}
