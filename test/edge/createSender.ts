import { randomInt } from 'node:crypto'
import { request } from 'undici'
import type { ProvidedContext } from 'vitest'
import { adminKey } from '../harness/settingsFor.ts'

type Options = { method?: string; headers?: Record<string, string>; body?: string | Buffer }

/** Creates a sender of requests to the service of a runtime, with the headers and the preview that the tests send. */
export function createSender({ url, apiKey, chains }: ProvidedContext['runtimes'][number]) {
  const keyed = { 'x-api-key': apiKey, 'x-admin-key': adminKey }
  const json = { ...keyed, 'content-type': 'application/json' }
  const preview = {
    tokenIn: chains[84532].tokens['tAUD'],
    tokenOut: chains[84532].tokens['tUSD'],
    amountIn: '1000',
  }

  async function send(path: string, { method = 'GET', ...options }: Options = {}) {
    const response = await request(`${url}${path}`, { method: method as 'GET', ...options })
    const text = await response.body.text()
    return { status: response.statusCode, headers: response.headers, text, body: parse(text) }
  }
  const post = (path: string, body: string | Buffer, headers: Record<string, string> = json) =>
    send(path, { method: 'POST', headers, body })
  return { keyed, json, preview, send, post }
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** Returns the header of a request from an address of its own: unauthenticated requests are limited by address. */
export function newAddress(): Record<string, string> {
  return { 'x-forwarded-for': `10.${[256, 256, 256].map((bound) => randomInt(bound)).join('.')}` }
}
