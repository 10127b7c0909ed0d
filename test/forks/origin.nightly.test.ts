import { getAddress, toHex } from 'viem'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { validInputs } from '../harness/validInputs.ts'
import { both } from '../scenarios/both.ts'
import { setUp } from '../harness/setUp.ts'
import { startAgio } from '../harness/startAgio.ts'
import { neverAnswer } from '../harness/answers.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { startProxy, type Proxy } from '../harness/startProxy.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { readHealth, waitForBlock } from '../harness/waitForBlock.ts'

describe.each([
  ['refuses connections', (origin: Proxy) => origin.close()],
  ['never answers', (origin: Proxy) => Promise.resolve(origin.setAnswer(neverAnswer))],
])('a fork whose origin %s', (_, fail) => {
  const upstream = setUp(() => startTestLocalnet({ blockIntervalMs: 3_600_000 }))
  const origin = setUp(() => startProxy(upstream.chains[84532].rpcUrl))
  const localnet = setUp(() => {
    const known = { forks: { 84532: origin.url }, forkDeploymentsDir: upstream.deploymentsDir }
    return startTestLocalnet({ blockIntervalMs: 3_600_000, ...known })
  })
  const stack = setUp(() => startAgio({ localnet }))

  beforeAll(async () => {
    await vi.waitUntil(async () => (await readHealth(stack.url)).status === 'ok', eventually)
    await fail(origin)
  })

  it('a fork whose origin is unavailable fails reads of unread wallets, and continues previews of every new block and its health', async () => {
    for (let block = 0; block < 3; block += 1) {
      expect(await readWallet()).toEqual(both('502 svc/upstream-error'))
      expect(await readNonce()).toEqual(both('502 svc/upstream-error'))
      expect(await previewNewBlock()).toEqual(both('200 ok'))
    }
    await expect.poll(() => readHealth(stack.url), eventually).toMatchObject({ status: 'ok' })
  })

  it('a fork reads unread wallets again once its origin answers', async () => {
    origin.reset()
    await origin.reopen()
    await expect.poll(readWallet, eventually).toEqual(both('200 ok'))
    expect(await readNonce()).toEqual(both('200 ok'))
  })

  it('a new block costs the origin no request for state that the fork has read', async () => {
    await previewNewBlock()
    const before = origin.requests.length
    expect(await previewNewBlock()).toEqual(both('200 ok'))
    const methods = origin.requests.slice(before).flatMap(({ calls }) => calls.map(({ method }) => method))
    expect(methods.filter((method) => method !== 'eth_blockNumber')).toEqual([])
  })

  async function previewNewBlock(): Promise<readonly string[]> {
    const chain = localnet.chains[84532]
    await connectOwner(chain).client.mine({ blocks: 1 })
    await waitForBlock(stack.url, chain)
    return await stack.request('convert.preview', validInputs(chain)['convert.preview'])
  }

  async function readWallet(): Promise<readonly string[]> {
    const input = validInputs(localnet.chains[84532])['approval.check']
    return await stack.request('approval.check', { ...input, ownerAddress: randomAddress() })
  }

  async function readNonce(): Promise<readonly string[]> {
    return await stack.request('transaction.nonce', { chainId: 84532, address: randomAddress() })
  }
})

function randomAddress(): string {
  return getAddress(toHex(crypto.getRandomValues(new Uint8Array(20))))
}
