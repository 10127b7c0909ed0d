import { expect, it } from 'vitest'
import { eventually } from '../harness/timeLimits.ts'
import { codeOf, useUpstreams } from './startUpstreams.ts'

const megabyte = 2 ** 20

const upstreams = useUpstreams()

/** Opens the chain over nodes, and waits until it is subscribed to new blocks and has read the newest block. */
async function openSubscribed(urls: readonly string[]) {
  const subscriptions = upstreams.socket.count('eth_subscribe')
  const chain = upstreams.open(urls)
  await waitForSubscription(subscriptions)
  const hasReadHead = () => {
    const methods = upstreams.socket.calls.map(({ method }) => method)
    return methods.lastIndexOf('eth_getBlockByNumber') > methods.lastIndexOf('eth_subscribe')
  }
  await expect.poll(hasReadHead, eventually).toBe(true)
  await chain.read()
  return { chain, findStates: () => chain.reports.filter(({ position }) => position === 1).map(({ state }) => state) }
}

async function waitForSubscription(after: number): Promise<void> {
  await expect.poll(() => upstreams.socket.count('eth_subscribe'), eventually).toBeGreaterThan(after)
}

function sendNotices(count: number, bytes: number): void {
  for (let sent = 0; sent < count; sent += 1) upstreams.socket.notify({ padding: 'x'.repeat(bytes) })
}

it.each([
  ['1,001 invalid notices', () => sendNotices(1001, 1)],
  ['12 MB of notices', () => sendNotices(4, 3 * megabyte)],
  ['a message of 100 levels', () => upstreams.socket.send(`${'['.repeat(100)}${']'.repeat(100)}`)],
])('a first node that sends %s without a request is unavailable, and is in use again later', async (_, send) => {
  const { chain, findStates } = await openSubscribed([upstreams.socket.url, upstreams.second.url])
  const subscriptions = upstreams.socket.count('eth_subscribe')
  send()
  await expect.poll(() => findStates()[0], eventually).toBe('unavailable')
  expect(await codeOf(chain.read())).toBe('ok')
  await waitForSubscription(subscriptions)
  expect(findStates()).toEqual(['unavailable', 'healthy'])
})

it('a node that sends a thousand notices at once remains in use over the same connection', async () => {
  const { chain, findStates } = await openSubscribed([upstreams.socket.url, upstreams.second.url])
  const subscriptions = upstreams.socket.count('eth_subscribe')
  sendNotices(1000, 2000)
  for (let count = 0; count < 10; count += 1) expect(await codeOf(chain.read())).toBe('ok')
  expect(findStates()).toEqual([])
  expect(upstreams.socket.count('eth_subscribe')).toBe(subscriptions)
})

it('a lone node that sends too many notices is read over a new connection', async () => {
  const { chain, findStates } = await openSubscribed([upstreams.socket.url])
  const subscriptions = upstreams.socket.count('eth_subscribe')
  sendNotices(1001, 1)
  await waitForSubscription(subscriptions)
  expect(await codeOf(chain.read())).toBe('ok')
  expect(findStates()).toEqual([])
})
