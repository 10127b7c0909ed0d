import { gzipSync } from 'node:zlib'
import type { Localnet } from '@agio/localnet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compressed, text } from '../harness/answers.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { describeWith } from '../harness/findServices.ts'
import { limitMemory } from '../harness/limitMemory.ts'
import { apiKey, settingsFor } from '../harness/settingsFor.ts'
import { startProxy, type Answer } from '../harness/startProxy.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { validInputs } from '../harness/validInputs.ts'
import { recordTrial } from './trials.ts'

const megabyte = 2 ** 20
const limitMegabytes = 512
const seconds = 30
const clientCount = 8

const zeros = (megabytes: number) => `"${'0'.repeat(megabytes * megabyte)}"`
const bombs: readonly (readonly [string, () => Answer])[] = [
  ['50 MB of JSON, compressed to 51 kB', () => compressed(gzipSync(zeros(50)))],
  ['200 MB of JSON, compressed to 204 kB', () => compressed(gzipSync(zeros(200)))],
  ['100 MB of JSON', () => text(zeros(100))],
  ['five million empty objects in 15 MB', () => text(`[${'{},'.repeat(5_000_000)}{}]`)],
]

const describeLimited = await describeWith(['memory limits'], 'a node that sends bombs to a service with little memory')

describeLimited(`a service with ${limitMegabytes} MB whose first node sends bombs`, () => {
  let localnet: Localnet
  beforeAll(async () => {
    localnet = await startTestLocalnet({ onDisk: true })
  })
  afterAll(() => localnet?.stop())

  it.each(bombs)(
    'builds continue while the first of two nodes answers everything with %s',
    async (bomb, createAnswer) => {
      const chain = localnet.chains[84532]
      await using limit = await limitMemory(limitMegabytes * megabyte)
      await using proxy = await startProxy(chain.rpcUrl)
      const settings = settingsFor(localnet, { rpcUrls: { 84532: [proxy.url, chain.rpcUrl] } })
      await using server = await startServerProcess(settings, 'Node', limit.variables)
      const call = createRestCaller({ url: server.url, apiKey })
      const before = proxy.requests.length
      proxy.setAnswer(createAnswer())
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
        trial: `A node that answers with bombs: ${bomb}`,
        tried: `${seconds} s of builds by ${clientCount} clients, in a cgroup of ${limitMegabytes} MB, while the first of two nodes answered everything with ${bomb}`,
        result: `Builds: ${builds.join(', ')}. The node sent ${proxy.requests.length - before} bombs. Memory of the cgroup: ${peak} MB at most. Slowest \`/health/live\`: ${Math.round(slowestMs)} ms`,
      })
      expect(Object.keys(statuses)).toEqual(['200'])
      expect(proxy.requests.length).toBeGreaterThan(before)
    },
  )
})
