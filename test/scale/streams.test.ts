import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Localnet } from '@agio/localnet'
import { expect, it } from 'vitest'
import { setPrice } from '../harness/movePrice.ts'
import { readUsage } from '../harness/readUsage.ts'
import { setUp } from '../harness/setUp.ts'
import { apiKey, settingsFor } from '../harness/settingsFor.ts'
import { startProxy } from '../harness/startProxy.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { recordTrial } from '../long/trials.ts'
import { countUpstream } from '../streams/countUpstream.ts'
import { measureGrowth } from './measureGrowth.ts'
import { quantile } from './measurePreviews.ts'

const localnet = setUp(() => startTestLocalnet({ blockIntervalMs: 3_600_000, onDisk: true }))

it('the reads of a block do not grow with the open streams of a process', async () => {
  const { rows } = await measureGrowth({
    subject: 'open streams',
    sizes: [100, 1000, 10_000],
    async measure(streams) {
      const { aloneMs, loadedMs, upstream, residentMB } = await loadStreams(localnet, { streams, changes: 5 })
      const [one = 0, all = 0] = residentMB
      const kilobytesPerStream = ((all - one) * 1000) / streams
      return { aloneMs, loadedMs, readsPerBlock: upstream.reads / upstream.blocks, kilobytesPerStream }
    },
  })
  // A read may belong to a block that is counted before or after.
  for (const { size, figures } of rows) expect(figures.readsPerBlock, `${size} streams`).toBeLessThanOrEqual(1.5)
})

it('a thousand streams for a minute and more, half of their readers stopped, take bounded memory', async () => {
  const load = await loadStreams(localnet, { streams: 1000, changes: 150 })
  const { aloneMs, loadedMs, residentMB, upstream } = load
  const [one = 0, all = 0, after = 0] = residentMB
  const ratio = (loadedMs / aloneMs).toFixed(1)
  recordTrial({
    trial: 'A thousand streams of prices, half of whose readers stop',
    tried: `A price changed 150 times within ${upstream.seconds.toFixed(0)} s`,
    result:
      `Each change reached all ${load.reading} readers, after ${loadedMs.toFixed(0)} ms in the median, ${ratio} times that of a stream alone. ` +
      `${upstream.reads} reads of the chain at ${upstream.blocks} blocks. ` +
      `Resident memory: ${one} MB with one stream, ${all} MB with all, ${after} MB after the changes`,
  })
  expect(upstream.reads).toBeLessThanOrEqual(upstream.blocks + 1)
  expect(after - one).toBeLessThan(200)
})

/**
 * Opens many streams of one process, half of whose readers stop, and changes a price repeatedly. Returns how long each change took to
 * reach the continuing readers, compared with a single stream, and the memory of the process.
 */
async function loadStreams(localnet: Localnet, { streams, changes }: LoadSettings) {
  await using proxy = await startProxy(localnet.chains[84532].rpcUrl)
  const limits = { maxConnections: streams * 2, maxConnectionsPerAddress: streams * 2 }
  const settings = settingsFor(localnet, { ...limits, rpcUrls: { 84532: [proxy.url] } })
  await using server = await startServerProcess(settings, 'Node')
  const url = new URL(server.url)
  let price = 65_000_000n
  const readers = new Set<Reader>()

  async function open(count: number): Promise<readonly Reader[]> {
    const opened: Reader[] = []
    while (opened.length < count) {
      const group = Math.min(connectTogether, count - opened.length)
      opened.push(...(await Promise.all(Array.from({ length: group }, () => openReader(url)))))
    }
    for (const reader of opened) readers.add(reader)
    return opened
  }
  /** Changes the price, and returns how long each reader waited for it, in milliseconds. */
  async function changePrices(waiting: readonly Reader[], count: number): Promise<readonly number[]> {
    const delays: number[] = []
    for (let change = 0; change < count; change += 1) {
      price += 1000n
      await setPrice(localnet.chains[84532], 'tAUD', price)
      const [minedAtMs, answer] = [performance.now(), `0.${price}`]
      const arrivals = await Promise.all(waiting.map((reader) => reader.waitFor(answer)))
      delays.push(...arrivals.map((arrivedAtMs) => Math.max(0, arrivedAtMs - minedAtMs)))
      await wait(pauseMs)
    }
    return delays
  }
  try {
    const [alone] = await open(1)
    const idle = await changePrices(alone ? [alone] : [], changes)
    const before = await readUsage(server.pid)
    const opened = await open(streams - 1)
    const afterOpening = await readUsage(server.pid)
    for (const reader of opened.slice(0, Math.floor(streams / 2))) reader.stop()
    const reading = opened.slice(Math.floor(streams / 2))
    const upstream = await countUpstream(proxy, () => changePrices(reading, changes))
    const after = await readUsage(server.pid)
    return {
      aloneMs: quantile(idle, 0.5),
      loadedMs: quantile(upstream.value, 0.5),
      reading: reading.length,
      upstream,
      residentMB: [before, afterOpening, after].map((usage) => usage.residentMB),
    }
  } finally {
    for (const { close } of readers) close()
  }
}

type LoadSettings = {
  readonly streams: number
  /** How often the price changes, alone and under load. */
  readonly changes: number
}

const pauseMs = 300

// Less than the kernel queues for a process that accepts connections. It may lose connections beyond that.
const connectTogether = 200

type Reader = {
  /** Resolves with the time at which an event with a price arrived. */
  waitFor(answer: string): Promise<number>
  /** Stops reading. */
  stop(): void
  close(): void
}

/** Opens a stream over its own connection, which reads as little as possible. */
async function openReader({ hostname, port }: URL): Promise<Reader> {
  const socket: Socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const topics = encodeURIComponent(JSON.stringify([{ topic: 'prices', chainId: 84532 }]))
  socket.write(`GET /api/v1/stream?topics=${topics} HTTP/1.1\r\nhost: ${hostname}\r\nx-api-key: ${apiKey}\r\n\r\n`)
  socket.on('error', () => {})
  const arrivals = new Map<string, number>()
  let waiting: { readonly answer: string; readonly resolve: (atMs: number) => void } | undefined
  let text = ''
  const opened = new Promise<void>((resolve) => {
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      for (const [, answer = ''] of text.matchAll(/"tAUD":{[^}]*"usd":"([\d.]+)"/g)) {
        arrivals.set(answer, arrivals.get(answer) ?? performance.now())
        if (waiting?.answer === answer) waiting.resolve(arrivals.get(answer) as number)
        resolve()
      }
      text = text.slice(text.lastIndexOf('\n\n') + 2)
    })
  })
  await opened
  return {
    async waitFor(answer) {
      const arrivedAtMs = arrivals.get(answer)
      if (arrivedAtMs !== undefined) return arrivedAtMs
      return await new Promise((resolve) => (waiting = { answer, resolve }))
    },
    stop: () => socket.pause(),
    close: () => socket.destroy(),
  }
}
