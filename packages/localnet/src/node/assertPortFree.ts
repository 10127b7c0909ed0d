import { once } from 'node:events'
import { createServer } from 'node:net'
import { host } from './host.ts'

/**
 * Tries a port before a node is started on it: Hardhat's server does not report a port that is taken, it brings the
 * process down.
 *
 * @throws `Error` that names the port and says how to move
 */
export async function assertPortFree(port: number): Promise<void> {
  const probe = createServer().listen(port, host)
  try {
    await once(probe, 'listening')
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE' ? 'the port is taken' : String(cause)
    throw new Error(
      `Cannot start a chain on ${host}:${port}: ${reason}. ` +
        'Choose the first of two free ports with RPC_PORT (in code: rpcPort; 0 takes any).',
      { cause },
    )
  }
  probe.close()
  await once(probe, 'close')
}
