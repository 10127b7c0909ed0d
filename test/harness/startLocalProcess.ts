import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Network } from '@agio/core'
import { killOnExit } from './killOnExit.ts'
import { findFreePort } from './findFreePort.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Runs `agio dev` on free ports until it is ready, without a console, which would be built first.
 *
 * @throws `Error` if it ends before that
 */
export async function startLocalProcess(
  args: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
) {
  const port = String(await findFreePort())
  // Its data is temporary, and no other stack has its name.
  const name = `test-${crypto.randomUUID()}`.slice(0, 40)
  const child = spawn(process.execPath, ['packages/cli/src/main.ts', 'dev', '--name', name, ...args], {
    cwd: root,
    env: {
      ...process.env,
      PORT: port,
      HOST: '127.0.0.1',
      RPC_PORT: '0',
      LOG_LEVEL: 'silent',
      CONSOLE: 'off',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  killOnExit(child)
  const exited = once(child, 'exit') as Promise<[number | null]>
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (line.startsWith('ready')) break
  }
  if (child.exitCode !== null) throw new Error(`Cannot test agio dev: it has ended: ${lines.join('\n')}`)
  // The rest of the output is not read, and must not block the process.
  child.stdout.resume()
  const url = `http://127.0.0.1:${port}`
  const rpcUrls = (lines.find((line) => line.startsWith('RPC ')) ?? '').split(/ +/).slice(1).filter(Boolean)
  const request = async (path: string, body?: object) => {
    const response = await fetch(`${url}/api/v1/${path}`, {
      headers: { 'x-api-key': 'local-key', 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    return { status: response.status, data: ((await response.json()) as { data?: unknown }).data }
  }
  return {
    /** The name by which commands find it. */
    name,
    port,
    url,
    /** The URLs of all chains. */
    rpcUrls,
    /** The status of a read. */
    request: async (path: string) => (await request(path)).status,
    /** The status of a preview from tAUD to tUSD. */
    async preview(chainId: Network.ChainId) {
      const listed = await request(`faucet/tokens?chainId=${chainId}`)
      const { tokens } = listed.data as { tokens: { symbol: string; address: string }[] }
      const find = (symbol: string) => tokens.find((token) => token.symbol === symbol)?.address
      const pair = { tokenIn: find('tAUD'), tokenOut: find('tUSD') }
      return (await request('convert/preview', { chainId, ...pair, amountIn: '1' })).status
    },
    /** The status of a scenario, over HTTP. */
    async scenario(name: string, fields: object = {}) {
      const response = await fetch(`${url}/local/scenarios/${name}`, {
        method: 'POST',
        headers: { 'x-admin-key': 'local-admin-key', 'content-type': 'application/json' },
        body: JSON.stringify(fields),
      })
      return response.status
    },
    /** Sends a signal, and returns the exit code. */
    async stop(signal: 'SIGINT' | 'SIGKILL') {
      child.kill(signal)
      return (await exited)[0]
    },
  }
}

export type LocalProcess = Awaited<ReturnType<typeof startLocalProcess>>
