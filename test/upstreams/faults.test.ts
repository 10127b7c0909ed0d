import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { validInputs } from '../harness/validInputs.ts'
import { breakOff, error, errorOf, neverAnswer, refusal, result, resultOf, status, text } from '../harness/answers.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { startProxiedStack } from '../harness/startProxiedStack.ts'
import { partOf } from '../harness/partOf.ts'
import type { Proxy } from '../harness/startProxy.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { sendTransaction } from '../harness/writeContract.ts'
import { setUp } from '../harness/setUp.ts'

type Inputs = Awaited<ReturnType<typeof createInputs>>

// No head stays confirmed: every request needs the node.
const stack = setUp(() => startProxiedStack({ snapshotMaxAgeMs: 0 }))
let proxy: Proxy
let inputs: Inputs
let operations: readonly (keyof Inputs)[]

beforeAll(async () => {
  proxy = stack.proxies[84532]
  inputs = await createInputs()
  operations = Object.keys(inputs) as (keyof Inputs)[]
  await waitUntilRecovered()
})

// The recovery proves that no state of the fault is kept.
afterEach(async () => {
  proxy.reset()
  await waitUntilRecovered()
})

describe('a node with a fault', () => {
  it('a node that is down is 503 svc/upstream-unavailable with Retry-After', async () => {
    await proxy.close()
    try {
      expect(await requestAll()).toEqual(all('503 svc/upstream-unavailable'))
      const keyed = { headers: { 'x-api-key': apiKey } }
      expect((await fetch(`${stack.url}/api/v1/pools`, keyed)).headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    } finally {
      await proxy.reopen()
    }
  })

  it.each([
    ['breaks the connection', breakOff],
    ['is overloaded', status(503)],
    ['limits our rate by its status', status(429)],
    ['limits our rate by its status, with an error', refusal({ code: -32000, message: 'slow down' }, 429)],
    ['limits our rate call by call', error({ code: -32005, message: 'limit exceeded' })],
    ['limits our rate batch by batch', refusal({ code: -32005, message: 'limit exceeded' })],
  ])('a node that %s is 503 svc/upstream-unavailable', async (_, answer) => {
    proxy.setAnswer(answer)
    expect(await requestAll()).toEqual(all('503 svc/upstream-unavailable'))
  })

  it.each([
    ['responds with a web page', text('<html>Welcome</html>', 'text/html')],
    ['responds with truncated JSON', text('[{"jsonrpc":"2.0","id":1,"res')],
    ['responds with an empty array', text('[]')],
    ['responds with an object', text('{}')],
    ['responds with null', text('null')],
    ['denies access', status(403)],
    ['has an internal error', error({ code: -32603, message: 'internal error' })],
    ['lacks every method', error({ code: -32601, message: 'the method does not exist' })],
  ])('a node that %s is 502 svc/upstream-error', async (_, answer) => {
    proxy.setAnswer(answer)
    expect(await requestAll()).toEqual(all('502 svc/upstream-error'))
  })

  it.each([
    ['a string', result('garbage')],
    ['an object', result({})],
  ])('a node that answers every call with %s is 502 svc/upstream-error for every read', async (_, answer) => {
    proxy.setAnswer(answer)
    const reads = operations.filter((operation) => operation !== 'transaction.broadcast')
    expect(await requestAll(reads)).toEqual(all('502 svc/upstream-error', reads))
  })

  it.each([
    ['eth_estimateGas', 'approval.build'],
    ['eth_estimateGas', 'approval.revoke'],
    ['eth_estimateGas', 'faucet.buildClaimAll'],
    ['eth_feeHistory', 'faucet.buildClaimAll'],
    ['eth_feeHistory', 'transaction.buildConvert'],
    ['eth_getTransactionCount', 'transaction.nonce'],
    ['eth_blockNumber', 'transaction.status'],
    ['eth_getTransactionReceipt', 'transaction.status'],
    ['eth_getTransactionReceipt', 'transaction.track'],
    ['eth_getTransactionByHash', 'transaction.track'],
    ['eth_getTransactionReceipt', 'transaction.buildReplace'],
    ['eth_getTransactionReceipt', 'convert.receipt'],
    ['eth_getTransactionByHash', 'convert.receipt'],
    ['eth_call', 'approval.check'],
    ['eth_call', 'faucet.info'],
  ] as const)(
    'a node that answers only %s with garbage is 502 svc/upstream-error for %s',
    async (method, operation) => {
      for (const garbage of ['garbage', '0x', {}]) {
        proxy.setAnswer(resultOf(method, garbage))
        expect(await request(operation), JSON.stringify(garbage)).toEqual(all('502 svc/upstream-error', [operation]))
      }
    },
  )

  it.each(
    partOf([
      { code: -32601, message: 'the method does not exist' },
      { code: -32603, message: 'internal error' },
    ]),
  )(
    'a node that cannot send transactions ($code) is 502 svc/upstream-error, and no error of the transaction',
    async (fault) => {
      proxy.setAnswer(errorOf('eth_sendRawTransaction', fault))
      expect(await request('transaction.broadcast')).toEqual(all('502 svc/upstream-error', ['transaction.broadcast']))
    },
  )

  // A response that never ends has the same limit: test/upstreams/oversized.nightly.test.ts.
  it('a node that never answers is 504 svc/upstream-timeout, and health does not wait for it', async () => {
    proxy.setAnswer(neverAnswer)
    const ended: string[] = []
    const [outcomes] = await Promise.all([
      requestAll().finally(() => ended.push('operations')),
      fetch(`${stack.url}/health`).finally(() => ended.push('health')),
    ])
    expect(outcomes).toEqual(all('504 svc/upstream-timeout'))
    expect(ended).toEqual(['health', 'operations'])
  })
})

/** Returns inputs of the operations that need the node: of all except the two that the service answers from memory. */
async function createInputs() {
  const chain = stack.localnet.chains[84532]
  const account = privateKeyToAccount(generatePrivateKey())
  const { client } = connectOwner(chain)
  const { transactionHash } = await sendTransaction(client, { to: account.address, value: parseEther('1') })
  const fees = { gas: 21_000n, maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1n, nonce: 0 }
  const transfer = { type: 'eip1559', chainId: 84532, to: account.address, ...fees } as const
  const { 'chains.list': _, 'faucet.tokens': __, 'usage.get': ___, ...others } = validInputs(chain)
  const { 'webhooks.list': ____, 'webhooks.watches': _____, 'keys.self': ______, ...withRequests } = others
  const { 'usage.requests': _______, ...reads } = withRequests
  return {
    ...reads,
    'transaction.status': { transactionHash },
    'transaction.track': { transactionHash },
    'transaction.buildReplace': { transactionHash, kind: 'cancel' },
    'convert.receipt': { transactionHash },
    'transaction.broadcast': { signedTransaction: await account.signTransaction(transfer) },
  }
}

/** Returns status and code of an operation over REST and tRPC. Asserts that neither reveals the node's URL or our code. */
async function request(operation: keyof Inputs): Promise<Readonly<Record<string, string>>> {
  const outcomes = Object.entries(stack.callers).map(async ([transport, call]) => {
    const outcome = await call(operation, inputs[operation])
    expect(JSON.stringify(outcome)).not.toMatch(/127\.0\.0\.1|localhost|https?:|node_modules|\.[jt]s:\d|\\n\s+at /)
    return [`${operation} ${transport}`, `${outcome.status} ${outcome.failure?.code}`]
  })
  return Object.fromEntries(await Promise.all(outcomes)) as Record<string, string>
}

async function requestAll(selected = operations): Promise<Readonly<Record<string, string>>> {
  return Object.assign({}, ...(await Promise.all(selected.map(request)))) as Record<string, string>
}

function all(outcome: string, selected = operations): Readonly<Record<string, string>> {
  const names = selected.flatMap((operation) =>
    Object.keys(stack.callers).map((transport) => `${operation} ${transport}`),
  )
  return Object.fromEntries(names.map((name) => [name, outcome]))
}

async function waitUntilRecovered(): Promise<void> {
  const isRecovered = async () =>
    (await stack.callers.REST('convert.preview', inputs['convert.preview'])).status === 200
  await vi.waitUntil(isRecovered, eventually)
}
