import { Pool } from 'undici'
import { expect, it } from 'vitest'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { startProxiedStack } from '../harness/startProxiedStack.ts'
import { eventually } from '../harness/timeLimits.ts'
import { setUp } from '../harness/setUp.ts'

const stack = setUp(() => startProxiedStack({ ownDatabase: true }))

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
})
