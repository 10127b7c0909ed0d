import { Network } from '@agio/core'
import { expect, it, onTestFinished, vi } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { eventually } from '../harness/timeLimits.ts'
import { validInputs } from '../harness/validInputs.ts'
import { startProxiedStack } from '../harness/startProxiedStack.ts'

const idleMs = 31_000

it('a service without requests sends each chain at most one request per second, and the next preview has the newest block', async () => {
  await using stack = await startProxiedStack({ ownDatabase: true })
  const chain = stack.localnet.chains[84532]
  const preview = async () => {
    const { data } = await stack.callers.REST('convert.preview', validInputs(chain)['convert.preview'])
    return data?.['blockNumber']
  }
  await expect.poll(preview, eventually).toBeDefined()
  const { now } = performance
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + idleMs)
  onTestFinished(() => clock.mockRestore())
  const listCalls = (chainId: Network.ChainId) => stack.proxies[chainId].requests.flatMap(({ calls }) => calls)
  const pauses = Network.chainIds.map(async (chainId) => {
    const waitForCalls = async (count: number) => {
      const wanted = listCalls(chainId).length + count
      await vi.waitUntil(() => listCalls(chainId).length >= wanted, eventually)
    }
    // The poll that was due before the pause, and the check of the chain id that is due after it.
    await waitForCalls(2)
    const [before, startedMs] = [listCalls(chainId).length, performance.now()]
    await waitForCalls(5)
    expect(listCalls(chainId).length - before).toBeLessThanOrEqual(1 + (performance.now() - startedMs) / 1000)
  })
  await Promise.all(pauses)
  const { client } = connectOwner(chain)
  await client.mine({ blocks: 1 })
  expect(await preview()).toBe(Number(await client.getBlockNumber({ cacheTime: 0 })))
})
