import { keccak256, zeroAddress } from 'viem'
import { expect, it } from 'vitest'
import { connectFakeNodes } from '../../test/connectFakeNodes.ts'
import { createFakeNode, neverRespond, onlyFor, respondError, type Behaviour } from '../../test/createFakeNode.ts'
import { headOf } from '../../test/startHeads.ts'
import type { SignedTransaction } from './decodeSigned.ts'
import { resendPending, sendSigned } from './sendSigned.ts'

const signed = {
  serialized: '0x02',
  hash: keccak256('0x02'),
  from: zeroAddress,
  nonce: 0,
} as unknown as SignedTransaction

it.each([
  ['svc/nonce-too-low', -32001, 'Nonce too low'],
  ['svc/underpriced', -32010, 'ReplacementNotAllowed'],
  ['svc/insufficient-gas', -32004, 'Upfront cost exceeds account balance'],
  ['svc/invalid-transaction', -32005, 'Transaction gas limit exceeds block gas limit'],
  ['svc/invalid-transaction', -32000, 'rlp: expected input list'],
  ['svc/upstream-unavailable', -32000, '429 Too Many Requests'],
  ['svc/upstream-unavailable', -32000, 'in-flight transaction limit reached for delegated accounts'],
  ['svc/upstream-error', -32000, 'txpool is full'],
  ['svc/upstream-error', -32603, 'Error: Transaction ran out of gas'],
  ['svc/upstream-error', 3, 'any other words'],
  ['ok', -32000, 'already known'],
])('%s for a transaction to which a lone node responds %i %s', async (code, errorCode, message) => {
  const node = createFakeNode()
  const { read, rpc, run } = connectFakeNodes([node])
  await read()
  node.setBehaviour(onlyFor('eth_sendRawTransaction', respondError({ code: errorCode, message })))
  const snapshots = { tokens: new Map(), findStalePrice: () => undefined, readRefusal: async () => undefined }
  const context = { snapshots, blockSeconds: undefined }
  const funded = { ...signed, requiredWei: 1n }
  expect(await run(sendSigned(rpc, funded, context))).toMatchObject({ code })
})

it.each([
  ['svc/nonce-too-low', 'no node has its receipt', { result: null }],
  ['ok', 'its receipt cannot be read', { error: { code: -32000, message: 'busy' } }],
])('%s for a transaction whose nonce is used and that two nodes do not have, if %s', async (code, _, receipt) => {
  const [first, second] = [createFakeNode(), createFakeNode()]
  const { read, send, rpc, run } = connectFakeNodes([first, second])
  await read()
  expect((await send(signed)).code).toBe('ok')
  const lost = { eth_getTransactionByHash: { result: null }, eth_getTransactionReceipt: receipt }
  first.setBehaviour(reply({ ...lost, eth_getTransactionCount: { result: '0x1' } }))
  second.setBehaviour(reply({ ...lost, eth_sendRawTransaction: { error: { code: -32000, message: 'nonce too low' } } }))
  expect(await run(resendPending(rpc, signed, headOf(1n)))).toMatchObject({ code })
})

it('a transaction that is sent once more takes two seconds at most, if the other node never responds', async () => {
  const [first, second] = [createFakeNode(), createFakeNode()]
  const { read, send, rpc, run } = connectFakeNodes([first, second])
  await read()
  expect((await send(signed)).code).toBe('ok')
  second.setBehaviour(neverRespond)
  expect(await run(resendPending(rpc, signed, headOf(1n)))).toMatchObject({ code: 'ok', tookMs: 2000 })
  expect(second.count('eth_sendRawTransaction')).toBe(1)
})

function reply(outcomes: Readonly<Record<string, object>>): Behaviour {
  return ({ calls, respond }) => respond(calls.map(({ id, method }) => ({ jsonrpc: '2.0', id, ...outcomes[method] })))
}
