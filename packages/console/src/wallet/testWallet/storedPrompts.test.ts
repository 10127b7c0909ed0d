import { expect, it } from 'vitest'
import { parseRequest } from './storedPrompts.ts'

it('a stored request is prompted again unchanged', () => {
  const request = { method: 'eth_sendTransaction', params: [{ to: '0x01' }] }
  expect(parseRequest(JSON.stringify(request))).toEqual(request)
})

it.each([null, '', '{', 'null', '{"method":"eth_sendTransaction"}', '{"params":[]}'])('%j is not a request', (text) => {
  expect(parseRequest(text)).toBeUndefined()
})
