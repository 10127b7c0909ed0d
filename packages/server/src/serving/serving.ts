import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Network } from '@agio/core'
import type { Settings } from '../settings/Settings.ts'

/** How long requests in flight may take after a stop, in milliseconds. It is longer than the time-outs of the nodes. */
export const shutdownTimeoutMs = 15_000

/** How long metrics requests in flight may take after a stop, in milliseconds. */
export const metricsShutdownTimeoutMs = 1000

/**
 * Returns the time limit of a whole stop, in milliseconds. A stop also flushes usage and closes the connections to the
 * databases.
 */
export function toStopLimitMs({ drainMs }: { readonly drainMs: number }): number {
  return drainMs + shutdownTimeoutMs + 5000
}

/** Lists the addresses that a service listens on, each with the variable that sets its port. */
export function listAddresses({
  host,
  port,
  reusePort,
  metricsPort,
  adminHost,
  adminPort,
}: Settings): readonly Address[] {
  return [
    { variable: 'PORT', hostname: host, port, reusePort: reusePort === 'on' },
    ...(metricsPort === undefined ? [] : [{ variable: 'METRICS_PORT', hostname: host, port: metricsPort }]),
    ...(adminPort === undefined ? [] : [{ variable: 'ADMIN_PORT', hostname: adminHost, port: adminPort }]),
  ]
}

type Address = {
  readonly variable: string
  readonly hostname: string
  readonly port: number
  readonly reusePort?: boolean
}

/** Returns the URL of a server; an IPv6 address is put in brackets. */
export function toUrl({ host, port }: { readonly host: string; readonly port: number }): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Returns the printed line with the served networks and the networks without a deployment file. */
export function formatNetworks(served: readonly Network.ChainId[]): string {
  const list = (ids: readonly Network.ChainId[]) =>
    ids.map((chainId) => `${Network.names[chainId]} (${chainId})`).join(', ')
  const missing = Network.chainIds.filter((chainId) => !served.includes(chainId))
  return `serving ${list(served)}${missing.length > 0 ? `; no deployment file for ${list(missing)}` : ''}`
}

/** Returns the printed line with the URL of the console; undefined if the console is off. */
export function formatConsole(url: string, consoleDir: string | undefined): string | undefined {
  if (consoleDir === undefined) return undefined
  return `Console: ${isConsoleBuilt(consoleDir) ? `${url}/console` : 'not built. Run "pnpm build"'}`
}

/** Returns the printed line with the URL of the port for operators. */
export function formatOperators(adminUrl: string): string {
  return `Operators: ${adminUrl}`
}

/** Returns whether a folder contains a built console. */
export function isConsoleBuilt(consoleDir: string): boolean {
  return existsSync(join(consoleDir, 'index.html'))
}

/**
 * Returns one sentence that explains why the service cannot start, for errors of Node and of Deno.
 *
 * @param port the port of the server, and the variable that sets it
 */
export function formatStartError(error: unknown, port?: Port): string {
  if (!(error instanceof Error)) return String(error)
  const isPortTaken = error.name === 'AddrInUse' || (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
  return isPortTaken && port
    ? `Cannot serve on port ${port.port}: the port is taken. Set ${port.variable} to another port`
    : error.message
}

type Port = { readonly variable: string; readonly port: number }
