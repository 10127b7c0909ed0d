import { Network } from '@agio/core'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** The loopback interface. All local nodes listen on it, and other machines cannot reach them. */
export const host = '127.0.0.1'

/**
 * How long a local node keeps an idle connection open. It outlasts a standstill of the machine: a request over a connection that
 * closes meanwhile fails.
 */
export const keepAliveMs = 65_000

/**
 * Asserts that a port is free before a node starts on it. Hardhat's server does not report a taken port: it ends the
 * process.
 *
 * @throws `Error` with the port and the setting to change
 */
export async function assertPortFree(port: number): Promise<void> {
  const probe = createServer().listen(port, host)
  try {
    await once(probe, 'listening')
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE' ? 'the port is taken' : String(cause)
    throw new Error(
      `Cannot start a chain on ${host}:${port}: ${reason}. ` +
        `Choose the first of ${Network.chainIds.length} consecutive free ports with RPC_PORT (in code: rpcPort; 0 takes any).`,
      { cause },
    )
  }
  probe.close()
  await once(probe, 'close')
}

/**
 * Finds consecutive free ports, one for each local chain, and returns the first. For tests that must know the ports in
 * advance.
 */
export async function findFreePorts(from = 20_000): Promise<number> {
  try {
    for (const chainId of Network.chainIds) await assertPortFree(Network.toLocalRpcPort(chainId, from))
    return from
  } catch {
    return await findFreePorts(from + Network.chainIds.length)
  }
}
