import { keccak256, numberToHex, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createWallet } from '../harness/createWallet.ts'
import { apiKey } from '../harness/settingsFor.ts'
import type { Proxy } from '../harness/startProxy.ts'
import { startTestServer } from '../harness/startTestServer.ts'
import { useUpstreams } from './startUpstreams.ts'

const receiver = '0x00000000000000000000000000000000000000A1'
const attacker = '0x0000000000000000000000000000000000000bad'
const call = { to: receiver, data: '0xc0de', value: '5', chainId: 84532, gasLimit: '60000' } as const

const upstreams = useUpstreams()
/** Services over both nodes, and over the lying node alone. */
let [both, alone]: Service[] = []
/** A pending transaction of a wallet. */
let [from, transactionHash, signedTransaction]: Hex[] = []
const starting = new AsyncDisposableStack()

beforeAll(async () => {
  const { chain, first, second } = upstreams
  const { client } = connectOwner(chain)
  both = starting.use(await serve([first.url, second.url]))
  alone = starting.use(await serve([first.url]))
  const wallet = await createWallet(chain)
  const serializedTransaction = await wallet.sign(async () => ({ status: 200, data: { nonce: 0 } }), call)
  from = wallet.address
  signedTransaction = serializedTransaction
  transactionHash = keccak256(serializedTransaction)
  await client.setAutomine(false)
  await client.sendRawTransaction({ serializedTransaction })
})
afterAll(() => starting.disposeAsync())

const honest = { to: receiver, data: call.data, value: call.value, gasLimit: call.gasLimit, nonce: 0 }
const lies = [
  ['receiver', { to: attacker }],
  ['value', { value: '0xde0b6b3a7640000' }],
  ['calldata', { input: '0xa9059cbb' }],
  ['nonce', { nonce: '0x63' }],
  ['gas limit', { gas: '0x1c9c380' }],
  ['fees', { maxFeePerGas: numberToHex(10n ** 18n), maxPriorityFeePerGas: numberToHex(10n ** 18n) }],
  ['form: it lacks calldata', { input: undefined }],
  ['form: its value is 2^256', { value: `0x1${'0'.repeat(64)}` }],
] as const

describe('a first node that changes a pending transaction', () => {
  it.each(lies)('the second node decides the replacement if the first one changes its %s', async (_, lie) => {
    change(upstreams.first, lie)
    const asked = countReads(upstreams.second)
    const { status, data } = await both!.speedUp()
    expect({ status, data }).toMatchObject({ status: 200, data: { ...honest, from } })
    expect(BigInt(String(data?.['maxFeePerGas']))).toBeLessThan(10n ** 12n)
    expect(countReads(upstreams.second)).toBe(asked + 1)
  })

  it.each(lies)('error: without another node, a change of its %s is 502 svc/upstream-error', async (_, lie) => {
    change(upstreams.first, lie)
    expect(await alone!.speedUp()).toMatchObject({ status: 502, failure: { code: 'svc/upstream-error' } })
  })

  it('the sender of a replacement follows from the signature, and not from the node', async () => {
    change(upstreams.first, { from: attacker })
    expect(await alone!.speedUp()).toMatchObject({ status: 200, data: { ...honest, from } })
    expect(await alone!.cancel()).toMatchObject({ status: 200, data: { from, to: from, value: '0', data: '0x' } })
  })

  it.each(['speed-up', 'cancel'])('a %s of a transaction that its node hides is built from its bytes', async (kind) => {
    upstreams.answerCalls(upstreams.first, async (request, callNode) =>
      request.method === 'eth_getTransactionByHash' ? { id: request.id, result: null } : await callNode(request),
    )
    expect(await alone!.replace(kind)).toMatchObject({ status: 404, failure: { code: 'svc/transaction-not-found' } })
    const expected = kind === 'cancel' ? { from, to: from, nonce: 0 } : { ...honest, from }
    expect(await alone!.replace(kind, { signedTransaction })).toMatchObject({ status: 200, data: expected })
    const other = await alone!.replace(kind, { signedTransaction, transactionHash: `0x${'12'.repeat(32)}` })
    expect(other).toMatchObject({ status: 400, failure: { code: 'svc/invalid-request' } })
  })

  it('error: a transaction of a type without a signature is never replaced', async () => {
    change(upstreams.first, { type: '0x7e', to: attacker })
    const refused = { status: 400, failure: { code: 'svc/invalid-request' } }
    expect([await alone!.speedUp(), await alone!.cancel()]).toMatchObject([refused, refused])
  })
})

/** Makes a node change the pending transaction. */
function change(proxy: Proxy, lie: object): void {
  upstreams.answerCalls(proxy, async (request, callNode) => {
    const reply = await callNode(request)
    if (request.method !== 'eth_getTransactionByHash') return reply
    return { ...reply, result: { ...(reply.result as object), ...lie } }
  })
}

function countReads({ requests }: Proxy): number {
  return requests.flatMap(({ calls }) => calls).filter(({ method }) => method === 'eth_getTransactionByHash').length
}

async function serve(nodes: readonly string[]) {
  const { url, stop } = await startTestServer(upstreams.localnet, { rpcUrls: { 84532: nodes } })
  const request = createRestCaller({ url, apiKey })
  const replace = async (kind: string, more: object = {}) =>
    await request('transaction.buildReplace', { transactionHash, kind, ...more })
  return {
    replace,
    speedUp: () => replace('speed-up'),
    cancel: () => replace('cancel'),
    [Symbol.asyncDispose]: stop,
  }
}

type Service = Awaited<ReturnType<typeof serve>>
