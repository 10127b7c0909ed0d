import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { compressed, text } from '../harness/answers.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { describeWith } from '../harness/findServices.ts'
import { limitMemory } from '../harness/limitMemory.ts'
import { apiKey, settingsFor } from '../harness/settingsFor.ts'
import { startProxy, type Answer, type ProxiedRequest } from '../harness/startProxy.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { validInputs } from '../harness/validInputs.ts'
import { setUp } from '../harness/setUp.ts'
import { recordTrial } from './trials.ts'

const megabyte = 2 ** 20
const limitMegabytes = 512
const seconds = 30
const clientCount = 8

const zeros = (megabytes: number) => `"${'0'.repeat(megabytes * megabyte)}"`
const distinctKeys = (count: number) => `{${join(count, (id) => `"a${id}":1.1${id}`)}}`
const bombs: readonly (readonly [string, () => Answer])[] = [
  ['50 MB of JSON, compressed to 51 kB', () => compressed(gzipSync(zeros(50)))],
  ['200 MB of JSON, compressed to 204 kB', () => compressed(gzipSync(zeros(200)))],
  ['100 MB of JSON', () => text(zeros(100))],
  ['five million empty objects in 15 MB', () => text(`[${'{},'.repeat(5_000_000)}{}]`)],
  ['500,000 distinct keys', () => text(distinctKeys(500_000))],
]
const blockBombs: readonly (readonly [string, () => Answer])[] = [
  ['two million distinct keys in 40 MB', () => text(distinctKeys(2_000_000))],
  ['70,000 small transactions', () => blockOf(70_000)],
  ['150,000 small transactions', () => blockOf(150_000)],
]
const trials = [
  ...bombs.map(([bomb, createAnswer]) => ({ bomb, createAnswer, asked: 'everything', isBombed: () => true })),
  ...blockBombs.map(([bomb, createAnswer]) => ({ bomb, createAnswer, asked: 'full blocks', isBombed: asksForBlock })),
]

const describeLimited = await describeWith(['memory limits'], 'a node that sends bombs to a service with little memory')

describeLimited(`a service with ${limitMegabytes} MB whose first node sends bombs`, () => {
  const localnet = setUp(() => startTestLocalnet({ onDisk: true }))

  it.each(trials)(
    'builds continue while the first of two nodes answers $asked with $bomb',
    async ({ bomb, createAnswer, asked, isBombed }) => {
      const chain = localnet.chains[84532]
      await using limit = await limitMemory(limitMegabytes * megabyte)
      await using proxy = await startProxy(chain.rpcUrl)
      const settings = settingsFor(localnet, { rpcUrls: { 84532: [proxy.url, chain.rpcUrl] } })
      await using server = await startServerProcess(settings, 'Node', limit.variables)
      const call = createRestCaller({ url: server.url, apiKey })
      const answer = createAnswer()
      let sent = 0
      proxy.setAnswer(async (request, response, callNode) => {
        if (isBombed(request)) {
          sent += 1
          await answer(request, response, callNode)
        } else response.end(await callNode())
      })
      using following = new DisposableStack()
      following.defer(followPending(server.url))
      const statuses: Record<number, number> = {}
      const endMs = Date.now() + seconds * 1000
      const build = async () => {
        while (Date.now() < endMs) {
          const { status } = await call('transaction.buildConvert', validInputs(chain)['transaction.buildConvert'])
          statuses[status] = (statuses[status] ?? 0) + 1
        }
      }
      let slowestMs = 0
      const watchLiveness = async () => {
        while (Date.now() < endMs) {
          const startMs = performance.now()
          await (await fetch(`${server.url}/health/live`)).text()
          slowestMs = Math.max(slowestMs, performance.now() - startMs)
        }
      }
      await Promise.all([watchLiveness(), ...Array.from({ length: clientCount }, build)])
      const peak = Math.round((await limit.readPeakBytes()) / megabyte)
      const builds = Object.entries(statuses).map(([status, count]) => `${count.toLocaleString('en')} × ${status}`)
      recordTrial({
        trial: `A node that answers ${asked === 'everything' ? '' : `${asked} `}with bombs: ${bomb}`,
        tried: `${seconds} s of builds by ${clientCount} clients, in a cgroup of ${limitMegabytes} MB, while the first of two nodes answered ${asked} with ${bomb}`,
        result: `Builds: ${builds.join(', ')}. The node sent ${sent} bombs. Memory of the cgroup: ${peak} MB at most. Slowest \`/health/live\`: ${Math.round(slowestMs)} ms`,
      })
      expect(Object.keys(statuses)).toEqual(['200'])
      expect(sent).toBeGreaterThan(0)
    },
  )
})

function join(count: number, toItem: (id: number) => string): string {
  return Array.from({ length: count }, (_, id) => toItem(id)).join(',')
}

function asksForBlock({ calls }: ProxiedRequest): boolean {
  return calls.some(({ method }) => method === 'eth_getBlockByHash')
}

/** Responds with the blocks of the node, each with other transactions of valid forms. */
function blockOf(count: number): Answer {
  const from = `0x${'a'.repeat(40)}`
  const toTransaction = (id: number) => ({ hash: `0x${id.toString(16).padStart(64, '0')}`, from, ...emptyCall })
  const transactions = join(count, (id) => JSON.stringify(toTransaction(id)))
  return async (_, response, callNode) => {
    const answered = await callNode()
    response.end(answered.replace(/"transactions":\[.*?\]/s, () => `"transactions":[${transactions}]`))
  }
}

const emptyCall = { nonce: '0x1', value: '0x0', gas: '0x1', input: '0x' }

/** Follows a transaction that stays pending, so that the service reads each block with its transactions. */
function followPending(url: string): () => void {
  const controller = new AbortController()
  const [from, transactionHash] = [`0x${'00'.repeat(19)}a1`, `0x${'ab'.repeat(32)}`]
  const topics = JSON.stringify([{ topic: 'transaction', transactionHash, from, nonce: 999 }])
  const init = { headers: { 'x-api-key': apiKey }, signal: controller.signal }
  const following = fetch(`${url}/api/v1/stream?topics=${encodeURIComponent(topics)}`, init)
  void following.then((response) => response.text()).catch(() => {})
  return () => controller.abort()
}
