import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Serves the files of a folder on its own origin. */
export async function serveFolder(folder: string): Promise<ServedFolder> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const path = pathname === '/' ? '/index.html' : pathname
    readFile(join(folder, path)).then(
      (content) => response.writeHead(200, { 'content-type': types[extname(path)] ?? 'text/plain' }).end(content),
      () => response.writeHead(404).end(),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    // A different host than the service, which is 127.0.0.1.
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
}

export type ServedFolder = AsyncDisposable & { readonly origin: string }
