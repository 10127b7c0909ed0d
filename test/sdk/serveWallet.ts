import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { ProviderError, TestWallet } from '../../packages/sdk/src/testing.ts'

/**
 * Serves a wallet to another process, as the extension of a browser serves a page: it outlives the process, and what its user
 * confirms is sent whether or not the process still exists.
 */
export async function serveWallet(wallet: TestWallet): Promise<ServedWallet> {
  const methods: string[] = []
  let held: Held | undefined

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = (await json(incoming)) as { readonly method: string; readonly params?: unknown }
    methods.push(request.method)
    const prompted = wallet.prompts.length
    const asking = wallet.request(request)
    const isHeld = wallet.prompts.length > prompted && wallet.prompts.length === held?.number
    const outcome = await asking.then(
      (result) => ({ result }),
      ({ code, message, data }: ProviderError) => ({ error: { code, message, data } }),
    )
    if (isHeld) held?.resolve()
    else response.end(JSON.stringify(outcome))
  }

  const server = createServer((incoming, response) => void respond(incoming, response))
  server.keepAliveTimeout = 65_000
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    methods,
    hold: (number) => new Promise((resolve) => (held = { number, resolve })),
    async [Symbol.asyncDispose]() {
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
}

export type ServedWallet = AsyncDisposable & {
  readonly url: string
  /** The methods of all requests, in order. */
  readonly methods: readonly string[]
  /**
   * Executes the request of a prompt and never responds to it. Resolves when it is executed.
   *
   * @param number of the prompt among all of the wallet, from 1
   */
  hold(number: number): Promise<void>
}

type Held = { readonly number: number; readonly resolve: () => void }
