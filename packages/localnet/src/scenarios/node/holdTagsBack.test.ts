import { expect, test } from 'vitest'
import { holdTagsBack } from './holdTagsBack.ts'

const depths = { safe: 5n, finalized: 10n }

async function rewrite(request: unknown, newest = 100n): Promise<unknown> {
  const body = new TextEncoder().encode(JSON.stringify(request))
  const held = await holdTagsBack(body, { depths, readNewest: async () => newest })
  return JSON.parse(new TextDecoder().decode(held))
}

const request = (...params: readonly unknown[]) => ({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params })

test('safe and finalized become the numbers of earlier blocks, in each request of a batch', async () => {
  const batch = [request('latest', false), request('safe', false), request('finalized', false)]
  expect(await rewrite(batch)).toEqual([request('latest', false), request('0x5f', false), request('0x5a', false)])
})

test('safe and finalized of a short chain are its first block', async () => {
  expect(await rewrite(request('safe', false), 3n)).toEqual(request('0x0', false))
})

test('a tag is replaced as the parameter of a read of state, and not within another parameter', async () => {
  expect(await rewrite(request({ data: 'safe' }, 'safe'))).toEqual(request({ data: 'safe' }, '0x5f'))
})

test('any body without tags is forwarded unchanged', async () => {
  const body = new TextEncoder().encode('no JSON')
  const readNewest = () => Promise.reject(new Error('the node was read'))
  expect(await holdTagsBack(body, { depths, readNewest })).toBe(body)
})
