import type { LocalChain } from '@agio/localnet'
import { request } from 'undici'
import type { Caller, Failure } from '../harness/Caller.ts'
import { executeQuote } from '../harness/executeQuote.ts'
import { validInputs } from '../harness/validInputs.ts'

/**
 * Converts again and again, each time by a new wallet, until it ends. Each call goes to the next service: a quote of one service is
 * built by another, and broadcast by a third.
 */
export function startConversions(key: string, chain: LocalChain, url: string) {
  const urls = [url]
  const hashes: string[] = []
  const { chainId, poolAddress, tokenIn, tokenOut, amountIn } = validInputs(chain)['convert.quote']
  let calls = 0
  let calling: Promise<unknown> = Promise.resolve()
  const ending = new AbortController()
  const call: Caller = async (operation, input) => {
    const answering = callTrpc(`${urls[calls % urls.length]}/trpc/${operation}`, key, input)
    calls += 1
    calling = answering.catch(() => {})
    return await answering
  }
  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      const { sent } = await executeQuote(call, chain, { chainId, poolAddress, tokenIn, tokenOut, amountIn })
      hashes.push(String(sent['transactionHash']))
    }
  }
  let failure: unknown
  const running = run().catch((error: unknown) => (failure = error))
  return {
    /** The transactions that were broadcast. */
    hashes: (): readonly string[] => [...hashes],
    calls: () => calls,
    add: (added: string) => void urls.push(added),
    /** Removes a service, once its response has arrived. */
    async remove(removed: string): Promise<void> {
      urls.splice(urls.indexOf(removed), 1)
      await calling
    },
    /** Ends after the current conversion. @throws if a call was refused or a conversion has failed */
    async end(): Promise<void> {
      ending.abort()
      await running
      if (failure !== undefined) throw failure
    },
  }
}

/** Calls a procedure, without a comparison of the response with openapi.json, which is the document of this code alone. */
async function callTrpc(url: string, key: string, input: object): ReturnType<Caller> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const response = await request(url, { method: 'POST', headers, body: JSON.stringify(input) })
  const { result, error } = (await response.body.json()) as Answer
  return { status: response.statusCode, data: result?.data, failure: error?.data }
}

type Answer = {
  readonly result?: { readonly data: Record<string, unknown> }
  readonly error?: { readonly data: Failure }
}
