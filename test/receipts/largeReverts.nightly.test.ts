import { routerAbi } from '@agio/chain/abi'
import type { LocalChain } from '@agio/localnet'
import { encodeFunctionData, maxUint256, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createPayer } from '../harness/createPayer.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { mineTogether } from '../harness/mineTogether.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { startForeignStack } from '../harness/startForeignStack.ts'
import { encodeSwap, type Call } from '../harness/swaps.ts'
import { eventually } from '../harness/timeLimits.ts'
import { setUpReceipts, thousand } from './setUpReceipts.ts'

const receipts = setUpReceipts()

afterEach(() => receipts.stack.proxies[84532].reset())

/** The largest message of a node over a WebSocket. */
const maxMessageBytes = 4 * 1024 * 1024
const maxReplaysInFlight = 3
/** The largest gas limit of a transaction (EIP-7825). */
const maxTransactionGas = 16_777_216n

// Reads memory 8 kB further on while the gas suffices, and then reverts with the whole memory.
const anyData = '0x5b5960051c610bb8015a1060185759611fff0151506000565b596000fd'
// The same after the beginning of an `Error(string)` of zeros, whose length follows in the end.
const zeroText =
  '0x6308c379a060e01b60005260206004525b5960051c610bb8015a1060285759611fff0151506010565b60645903602452596000fd'

// The replays keep the node busy: on a slow machine, one may take longer than the service waits for a node.
describe.each([
  // Nodes repeat the text of an error in their message, where a zero takes six characters.
  ['a text of zeros', zeroText],
  ['data of no known error', anyData],
] as const)('transactions that revert with as much as their gas allows: %s', (_, bytecode) => {
  it('the response to a replay is smaller than a message of a WebSocket, and the reason is unknown', async () => {
    const { read, replays } = await fail(bytecode)
    expect(await read()).toMatchObject({ status: 200, data: { status: 'failed' } })
    expect(replays.largestBytes()).toBeGreaterThan(1_000_000)
    expect(replays.largestBytes()).toBeLessThan(maxMessageBytes)
  })

  it('many statuses at once do not affect the reads of other keys', async () => {
    const { read, replays } = await fail(bytecode)
    const { url } = receipts.stack
    const { key } = await createAdminClient(url).issue()
    const readNonce = () =>
      createRestCaller({ url, apiKey: key })('transaction.nonce', { chainId: 84532, address: receipts.user })
    const statuses = Array.from({ length: 5 }, read)
    await vi.waitUntil(() => replays.mostInFlight() > 0, eventually)
    expect(await readNonce()).toMatchObject({ status: 200 })
    for (const found of await Promise.all(statuses)) {
      expect(found).toMatchObject({ status: 200, data: { status: 'failed' } })
    }
    expect(replays.mostInFlight()).toBeLessThanOrEqual(maxReplaysInFlight)
  })

  it('replays go on in their turns after their clients have disconnected', async () => {
    const { transactionHash, replays } = await fail(bytecode)
    const leaving = new AbortController()
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
    const request = { method: 'POST', headers, body: JSON.stringify({ transactionHash }) }
    const send = (signal: AbortSignal | null = null) =>
      fetch(`${receipts.stack.url}/api/v1/transaction/status`, { ...request, signal })
    const left = Array.from({ length: 6 }, () => send(leaving.signal).catch(() => undefined))
    await vi.waitUntil(() => replays.mostInFlight() > 0, eventually)
    leaving.abort()
    await Promise.all(left)
    const stayed = await Promise.all(Array.from({ length: 6 }, () => send()))
    expect(stayed.map(({ status }) => status)).toEqual(stayed.map(() => 200))
    expect(replays.mostInFlight()).toBeLessThanOrEqual(maxReplaysInFlight)
  })
})

describe('the exact reason of a failed conversion through two pools', () => {
  it.each([300_000n, maxTransactionGas])('the pools are ours, and the gas limit is %d', async (gas) => {
    const swap = { from: 'tAUD', to: 'tEUR' } as const
    const convert = async (call: Call) => {
      const transactionHash = await mineFailure(receipts.chain, { ...call, from: receipts.user, gas })
      return (await receipts.read(transactionHash)).data?.['failure']
    }
    const origin = encodeSwap(receipts.chain, { ...swap, amountInRaw: thousand, limitRaw: 10n ** 12n })
    expect(await convert(origin)).toMatchObject({
      code: 'svc/below-min-target',
      revert: { name: 'BelowMinTarget', args: [expect.stringMatching(/^\d{9}$/), '1000000000000'] },
    })
    const target = encodeSwap(receipts.chain, { ...swap, amountOutRaw: thousand, limitRaw: 1n })
    expect(await convert(target)).toMatchObject({ code: 'svc/above-max-input' })
  })

  it('the pools are a variant of the DFX family, whose conversions use the most gas', async () => {
    await using foreign = await startForeignStack()
    const { deployment, tokens, chain } = foreign.market
    const funds = { token: tokens.fEUR, amountRaw: 10n ** 30n, spender: deployment.router }
    const { address: from } = await createPayer(chain, funds)
    const args = [deployment.referenceToken, tokens.fEUR, tokens.fAUD, 100_000n, 10n ** 24n, maxUint256] as const
    const data = encodeFunctionData({ abi: routerAbi, functionName: 'originSwap', args })
    const transactionHash = await mineFailure(chain, { target: deployment.router, data, from, gas: maxTransactionGas })
    const { data: receipt } = await foreign.callers.REST('convert.receipt', { chainId: 84532, transactionHash })
    expect(receipt).toMatchObject({ failure: { code: 'svc/below-min-target', revert: { name: 'Error' } } })
    expect(Number(receipt?.['gasUsed'])).toBeGreaterThan(300_000)
  })
})

/** Mines a transaction to a contract of a code that makes it fail, and records its replays. */
async function fail(bytecode: Hex) {
  const { stack, owner, chain, user } = receipts
  const target = privateKeyToAddress(generatePrivateKey())
  await owner.client.setCode({ address: target, bytecode })
  const transactionHash = await mineFailure(chain, { target, data: '0x', from: user, gas: maxTransactionGas })
  return {
    transactionHash,
    read: () => stack.callers.REST('transaction.status', { chainId: 84532, transactionHash }),
    replays: recordReplays(target),
  }
}

type FailingCall = Call & { readonly from: Address; readonly gas: bigint }

/** Sends a call that fails, and returns the hash of its mined transaction. */
async function mineFailure(chain: LocalChain, { target, data, from, gas }: FailingCall): Promise<Hex> {
  const { client } = connectOwner(chain)
  await client.impersonateAccount({ address: from })
  const submit: mineTogether.Submit = (fees) =>
    client.sendTransaction({ account: from, to: target, data, gas, chain: null, ...fees })
  const [mined] = await mineTogether(chain, [submit])
  expect(mined?.status).toBe('reverted')
  return mined?.transactionHash ?? '0x'
}

/** Records the responses of the node to calls of a contract, which only replays make. */
function recordReplays(target: Address) {
  const sizes: number[] = []
  const unfinished = new Map<object, number>()
  let most = 0
  receipts.stack.proxies[84532].setAnswer(async (request, response, callNode) => {
    const count = request.calls.filter((call) => JSON.stringify(call).includes(target.toLowerCase())).length
    unfinished.set(request, count)
    most = Math.max(
      most,
      [...unfinished.values()].reduce((total, each) => total + each, 0),
    )
    // The service ends a request that takes too long.
    response.once('close', () => unfinished.delete(request))
    const text = await callNode()
    if (count > 0) sizes.push(text.length)
    unfinished.delete(request)
    response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  })
  return { largestBytes: () => Math.max(0, ...sizes), mostInFlight: () => most }
}
