import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../harness/findFreePort.ts'
import { getBinary } from '../harness/findServices.ts'
import { killOnExit } from '../harness/killOnExit.ts'

/**
 * Starts HAProxy before servers, whose readiness it checks four times a second. It never sends a request twice.
 *
 * @param ports the ports of the servers, on 127.0.0.1
 */
export async function startHaproxy(ports: readonly number[]): Promise<Haproxy> {
  const folder = await mkdtemp(join(tmpdir(), 'agio-haproxy-'))
  const file = join(folder, 'haproxy.cfg')
  const [port, statusPort] = [await findFreePort(), await findFreePort()]
  await writeFile(file, formatConfig({ port, statusPort, ports }))
  const child = spawn(getBinary('haproxy'), ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  killOnExit(child)
  const exited = once(child, 'exit')
  return {
    url: `http://127.0.0.1:${port}`,
    async listUp() {
      const response = await fetch(`http://127.0.0.1:${statusPort}/;csv`).catch(() => undefined)
      return parseUp((await response?.text()) ?? '')
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true })
    },
  }
}

export type Haproxy = AsyncDisposable & {
  readonly url: string
  /** The ports of the servers that receive requests. */
  listUp(): Promise<readonly number[]>
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
