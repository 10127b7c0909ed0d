import { Tier } from '@agio/core'
import { Pool } from 'undici'
import { keccak256, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createTrader } from '../harness/createTrader.ts'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { isHeadPoll } from '../harness/startProxy.ts'
import { startProxiedStack } from '../harness/startProxiedStack.ts'
import { eventually } from '../harness/timeLimits.ts'
import { validInputs } from '../harness/validInputs.ts'
import { setUp } from '../harness/setUp.ts'

const stack = setUp(() => startProxiedStack({ ownDatabase: true }))

const unknown = { transactionHash: `0x${'34'.repeat(32)}` }

/** Each call, with the largest cost of its operation that the test can cause. */
async function listCalls(): Promise<readonly (readonly [operation: string, input: object])[]> {
  const chain = stack.localnet.chains[84532]
  const wallet = await createWallet(chain)
  const sign = () =>
    wallet.sign(stack.callers.REST, { to: wallet.address, data: '0x', value: '1', chainId: 84532, gasLimit: '21000' })
  const signedTransaction = await sign()
  return [
    ...Object.entries(validInputs(chain)),
    ...(await listPlans()),
    ...(await listFailures()),
    ['transaction.status', unknown],
    ['transaction.track', unknown],
    ['transaction.track', { ...unknown, from: wallet.address, nonce: 0 }],
    ['transaction.buildReplace', { ...unknown, kind: 'cancel' }],
    ['convert.receipt', unknown],
    ['transaction.broadcast', { chainId: 84532, signedTransaction }],
    ['transaction.track', { transactionHash: keccak256(signedTransaction) }],
    ['transaction.track', { ...unknown, from: wallet.address, nonce: 0 }],
    ['convert.receipt', { transactionHash: keccak256(signedTransaction) }],
  ]
}

/** Plans of wallets with a partial allowance, for a token that takes a new one and a token that needs a reset first. */
async function listPlans(): Promise<readonly (readonly [operation: string, input: object])[]> {
  const chain = stack.localnet.chains[84532]
  const plan = { chainId: 84532, amount: '10', spenderAddress: chain.deployment.router, prefer: 'approve' }
  const symbols = ['tAUD', 'tEUR'] as const
  return await Promise.all(
    symbols.map(async (symbol) => {
      const { address } = await createTrader(chain, { symbol, amount: '10', approved: '1' })
      return ['approval.plan', { ...plan, tokenAddress: chain.tokens[symbol], ownerAddress: address }] as const
    }),
  )
}

/** Reads of a failed conversion: below its minimum, and with too little gas, which takes another replay to find. */
async function listFailures(): Promise<readonly (readonly [operation: string, input: object])[]> {
  const reverted = await failConversion({ amountIn: '1000.000001' })
  const unfunded = await failConversion({ amountIn: '1000' }, '120000')
  const inputs = [reverted, unfunded].map((transactionHash) => ({ chainId: 84532, transactionHash }))
  return ['transaction.status', 'transaction.track', 'convert.receipt'].flatMap((operation) =>
    inputs.map((input) => [operation, input] as const),
  )
}

/** Mines a conversion of a wallet that has approved the router for 1000, and returns its hash. */
async function failConversion(amounts: { readonly amountIn: string }, gasLimit = '400000'): Promise<Hex> {
  const chain = stack.localnet.chains[84532]
  const trader = await createTrader(chain, { symbol: 'tAUD', amount: '1000' })
  const request = { ...validInputs(chain)['transaction.buildConvert'], userAddress: trader.address, ...amounts }
  const { data } = await stack.callers.REST('transaction.buildConvert', request)
  const unsigned = { ...(data as unknown as Unsigned), gasLimit }
  const serializedTransaction = await trader.sign(stack.callers.REST, unsigned)
  const { client } = connectOwner(chain)
  await client.sendRawTransaction({ serializedTransaction })
  const hash = keccak256(serializedTransaction)
  expect(await client.getTransactionReceipt({ hash })).toMatchObject({ status: 'reverted' })
  return hash
}

it('no operation sends more requests to the nodes than the budget has for each call', async () => {
  const measured: Record<string, number> = {}
  // The first calls read what all later calls share, such as the features of the router.
  for (const [operation, input] of Object.entries(validInputs(stack.localnet.chains[84532])))
    await stack.callers.REST(operation, input)
  for (const [operation, input] of await listCalls()) {
    const count = () => countRequests(() => stack.callers.REST(operation, { ...input }))
    let sent = await count()
    // The service may have verified a chain id meanwhile, or polled for a new block in the same batch.
    for (let tries = 1; tries < 5 && sent > Tier.maxCallNodeRequests; tries++) sent = await count()
    measured[operation] = Math.max(measured[operation] ?? 0, sent)
  }
  expect(Object.entries(measured).filter(([, sent]) => sent > Tier.maxCallNodeRequests)).toEqual([])
  // A quote for a wallet in a stream is charged in advance.
  expect(measured['convert.quote']).toBeLessThanOrEqual(4)
})

/** Counts the requests to the nodes during a call, without the polls for new blocks. */
async function countRequests(call: () => Promise<unknown>): Promise<number> {
  const proxies = Object.values(stack.proxies)
  const firsts = proxies.map(({ requests }) => requests.length)
  await call()
  const sent = proxies.flatMap(({ requests }, index) => requests.slice(firsts[index]))
  return sent.filter((request) => !isHeadPoll(request)).reduce((total, { calls }) => total + calls.length, 0)
}

const limits = { requests: 1000, windowSeconds: 3600, burstPerSecond: 10, monthlyQuota: 1_000_000 }
const address = `0x${'12'.repeat(20)}`
const otherAddress = `0x${'34'.repeat(20)}`

it('the calls of one key have at most twice its burst in flight at a slow node, and another key is served', async () => {
  const admin = createAdminClient(stack.url)
  const [{ id, key }, other] = [await admin.issue(limits), await admin.issue()]
  const proxy = stack.proxies[84532]
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let [inFlight, most] = [0, 0]
  proxy.setAnswer(async ({ body }, response, callNode) => {
    // Each call makes two reads of its address.
    const count = body.split(address).length - 1
    inFlight += count
    most = Math.max(most, inFlight)
    if (count > 0) await released
    inFlight -= count
    response.writeHead(200, { 'content-type': 'application/json' }).end(await callNode())
  })
  const pool = new Pool(stack.url, { connections: 50 })
  const sent: Promise<number>[] = []
  const readNonce = async () => {
    const path = `/api/v1/transaction/nonce/${address}?chainId=84532`
    const answer = await pool.request({ method: 'GET', path, headers: { 'x-api-key': key } })
    await answer.body.dump()
    return answer.statusCode
  }
  // The burst of the next second admits more calls than the node may have reads of.
  await expect
    .poll(async () => {
      for (let index = 0; index < 10; index += 1) sent.push(readNonce())
      return (await admin.statsOf(id)).calls
    }, eventually)
    .toBeGreaterThan(10)
  const callOther = createRestCaller({ url: stack.url, apiKey: other.key })
  const { status } = await callOther('transaction.nonce', { chainId: 84532, address: otherAddress })
  expect(status).toBe(200)
  expect(most).toBe(20)
  release()
  const statuses = await Promise.all(sent)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  expect(statuses.filter((each) => each === 200).length).toBeGreaterThan(10)
  await pool.close()
  proxy.reset()
})
