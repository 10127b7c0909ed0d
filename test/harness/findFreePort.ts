import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the ports that systems hand out by themselves, so that no other test receives it meanwhile.
const [first, last] = [10_000, 30_000]

/** An unused port on this machine. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * (last - first))
    const server = createServer()
    const isFree = await once(server.listen(port, '127.0.0.1'), 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    await once(server.close(), 'close')
    return port
  }
}
