import type { Localnet } from '@agio/localnet'
import type { Settings } from '@agio/server'
import { Client, type Dispatcher } from 'undici'
import { expect, it } from 'vitest'
import { validInputs } from '../harness/validInputs.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createDatabase } from '../harness/createDatabase.ts'
import { describeWith } from '../harness/findServices.ts'
import { findFreePort } from '../harness/findFreePort.ts'
import { settingsFor } from '../harness/settingsFor.ts'
import { startConfigured } from '../harness/startConfigured.ts'
import { startPgBouncer } from '../harness/startPgBouncer.ts'
import { startRedis } from '../harness/startRedis.ts'
import { startServerProcess, type ServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { setUp } from '../harness/setUp.ts'
import { recordTrial } from './trials.ts'

const [replicaCount, rolls, requestCount, clientCount] = [3, 10, 20_000, 12]
// Bounds the load at 300 requests per second.
const pauseMs = 40
const drainMs = 5000

const roomy = { requests: 10_000_000, windowSeconds: 3600, burstPerSecond: 100_000, monthlyQuota: 10_000_000 }

const describeRolling = await describeWith(
  ['PostgreSQL', 'PgBouncer', 'Redis binary', 'HAProxy'],
  'rolling restarts behind HAProxy',
)

describeRolling('rolling restarts', () => {
  const localnet = setUp(() => startTestLocalnet({ onDisk: true }))

  it.each(['Node', 'Deno'] as const)(
    'no request is lost behind HAProxy while three replicas on %s restart ten times, one after the other',
    async (runtime) => {
      await using database = await createDatabase()
      await using bouncer = await startPgBouncer(database.url)
      await using redis = await startRedis()
      const shared = { databaseUrl: bouncer.url, redisUrl: redis.url, phase: 'production', drainMs } as const
      await using replicas = await startReplicas(runtime, settingsFor(localnet, shared))
      await using haproxy = await startHaproxy(replicas.ports)
      const areAllUp = async () => (await haproxy.listUp()).length
      await expect.poll(areAllUp).toBe(replicaCount)
      const { key } = await createAdminClient(haproxy.url).issue(roomy)
      const load = startLoad(haproxy.url, { key, localnet })
      for (let roll = 0; roll < rolls; roll += 1) {
        for (const port of replicas.ports) {
          await replicas.restart(port)
          await expect.poll(areAllUp, { message: 'HAProxy uses the replica again' }).toBe(replicaCount)
        }
      }
      const { sent, outcomes } = await load.end()
      recordTrial({
        trial: `Rolling restarts on ${runtime} behind HAProxy`,
        tried: `${sent.toLocaleString('en')} requests by ${clientCount} clients that keep their connection, while ${replicaCount} replicas on PostgreSQL behind PgBouncer in transaction mode, and on Redis, restarted ${rolls} times one after the other, with a drain time of ${drainMs / 1000} s. HAProxy checks \`/health/ready\` each 250 ms and repeats no request`,
        result: `Lost: ${(sent - (outcomes['200'] ?? 0)).toLocaleString('en')}. Outcomes: ${JSON.stringify(outcomes)}`,
      })
      expect(outcomes).toEqual({ 200: sent })
      expect(sent).toBeGreaterThanOrEqual(requestCount)
    },
  )
})

/** Starts replicas on their own ports, which they keep when they restart. */
async function startReplicas(runtime: 'Node' | 'Deno', settings: Settings) {
  const running = new Map<number, ServerProcess>()
  const start = async (port: number) => {
    running.set(port, await startServerProcess({ ...settings, port }, runtime))
  }
  const ports: number[] = []
  for (let index = 0; index < replicaCount; index += 1) ports.push(await findFreePort())
  for (const port of ports) await start(port)
  return {
    ports,
    async restart(port: number) {
      await running.get(port)?.stop()
      await start(port)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...running.values()].map((replica) => replica.kill()))
    },
  }
}

type Load = { readonly key: string; readonly localnet: Localnet }

/** Sends previews and reads by clients with one connection each, until the end, and as many as the trial needs. */
function startLoad(url: string, { key, localnet }: Load) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const previews = Object.values(localnet.chains).map((chain) => {
    const body = JSON.stringify(validInputs(chain)['convert.preview'])
    return { method: 'POST', path: '/api/v1/convert/preview', headers, body } as const
  })
  const requests = [...previews, { method: 'GET', path: '/api/v1/pools', headers } as const]
  const outcomes: Record<string, number> = {}
  const ending = new AbortController()
  let sent = 0
  const runClient = async () => {
    const client = new Client(url)
    while (!ending.signal.aborted || sent < requestCount) {
      const outcome = await send(client, requests[sent++ % requests.length] as (typeof requests)[number])
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    await client.close()
  }
  const clients = Promise.all(Array.from({ length: clientCount }, runClient))
  return {
    async end() {
      ending.abort()
      await clients
      return { sent, outcomes }
    },
  }
}

/** Sends one request. Returns its status, with the code of an error, or the code of a lost connection. */
async function send(client: Client, request: Dispatcher.RequestOptions): Promise<string> {
  try {
    const { statusCode, body } = await client.request(request)
    const { code } = JSON.parse(await body.text()) as { readonly code?: string }
    return [statusCode, code].filter(Boolean).join(' ')
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code ?? error)
  }
}

/**
 * Starts HAProxy before servers, whose readiness it checks four times a second. It never sends a request twice.
 *
 * @param ports the ports of the servers, on 127.0.0.1
 */
async function startHaproxy(ports: readonly number[]) {
  const [port, statusPort] = [await findFreePort(), await findFreePort()]
  /** Lists the ports of the servers that receive requests. */
  const listUp = async () => {
    const response = await fetch(`http://127.0.0.1:${statusPort}/;csv`).catch(() => undefined)
    return parseUp((await response?.text()) ?? '')
  }
  const haproxy = await startConfigured('haproxy', {
    toConfig: () => [formatConfig({ port, statusPort, ports })],
    toArguments: (file) => ['-db', '-f', file],
    isReady: async () => (await listUp()).length > 0,
  })
  return { url: `http://127.0.0.1:${port}`, listUp, ...haproxy }
}

type Config = { readonly port: number; readonly statusPort: number; readonly ports: readonly number[] }

function formatConfig({ port, statusPort, ports }: Config): string {
  return `
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  timeout check 5s
  retries 0
frontend service
  bind 127.0.0.1:${port}
  default_backend replicas
backend replicas
  balance roundrobin
  option httpchk GET /health/ready
  default-server check inter 250ms fall 1 rise 1
${ports.map((server) => `  server replica-${server} 127.0.0.1:${server}`).join('\n')}
frontend status
  bind 127.0.0.1:${statusPort}
  stats enable
  stats uri /
`
}

/** Reads HAProxy's table of servers: the name is in the second column, the status in that named `status`. */
function parseUp(csv: string): readonly number[] {
  const [head = [], ...rows] = csv.split('\n').map((line) => line.split(','))
  const status = head.indexOf('status')
  return rows
    .filter((row) => row[status]?.startsWith('UP'))
    .flatMap(([, name]) => (name?.startsWith('replica-') ? [Number(name.slice('replica-'.length))] : []))
}
