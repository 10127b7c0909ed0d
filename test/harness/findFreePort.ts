import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the ports that systems hand out by themselves, so that no other test receives it meanwhile.
const first = 10_000
// The workers of the tests run at the same time: each draws from a range of its own, and a port only once.
const [ranges, portsPerRange] = [40, 500]
const range = Number(process.env['VITEST_POOL_ID'] ?? 0) % ranges
const returned = new Set<number>()

/** An unused port on this machine. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = first + range * portsPerRange + Math.floor(Math.random() * portsPerRange)
    if (returned.has(port)) continue
    if (returned.size > portsPerRange / 2) returned.clear()
    const server = createServer()
    const isFree = await once(server.listen(port, '127.0.0.1'), 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    returned.add(port)
    await once(server.close(), 'close')
    return port
  }
}
