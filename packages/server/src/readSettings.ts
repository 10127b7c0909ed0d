import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { chainIds, mapChains, toLocalRpcPort, type ChainId } from '@agio/core'
import { z } from 'zod'
import { corsOrigins } from './corsOrigins.ts'
import type { Settings } from './Settings.ts'

const split = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

const list = z.string().default('').pipe(split)

const urls = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .pipe(split)
    .pipe(z.array(z.url({ protocol: /^(http|ws)s?$/ })).min(1))

// The longest delay of a timer.
const maxMs = 2_147_483_647

// Supervisors wait for a few minutes at most.
const maxDrainMs = 3_600_000

const milliseconds = (fallback: number, max = maxMs) => integer(fallback).pipe(z.int().max(max))

const seconds = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .transform(Number)
  .pipe(z.number().max(604_800))

const integer = (fallback: number) => z.string().regex(/^\d+$/).default(String(fallback)).transform(Number)

const count = (fallback: number) => integer(fallback).pipe(z.int().min(1))

const port = z.string().regex(/^\d+$/).transform(Number).pipe(z.int().max(65_535))

// A core more than there are only costs memory.
const workers = z
  .union([
    z.literal('auto').transform(() => availableParallelism()),
    z
      .string()
      .regex(/^[1-9]\d?$/)
      .transform(Number),
  ])
  .default(1)

// `on` stands for one proxy.
const proxies = z
  .union([
    z.enum(['off', 'false', 'no']).transform(() => 0),
    z.enum(['on', 'true', 'yes']).transform(() => 1),
    z.string().regex(/^\d$/).transform(Number),
  ])
  .default(0)

/** The folder that `pnpm build` writes the console to. */
export const builtConsoleDir = resolve(import.meta.dirname, '../../console/dist')

/** The log levels, from least to most verbose. */
export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const

// The local chains are the default.
const rpcUrls = Object.fromEntries(
  chainIds.map((chainId) => [`RPC_URL_${chainId}`, urls(`http://127.0.0.1:${toLocalRpcPort(chainId)}`)]),
) as Record<`RPC_URL_${ChainId}`, ReturnType<typeof urls>>

const schema = z.object({
  PORT: port.default(3000),
  HOST: z.string().default('127.0.0.1'),
  DEPLOYMENTS_DIR: z.string().default('deployments'),
  ...rpcUrls,
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATA_DIR: z.string().default('.data'),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  ADMIN_KEY: z.string().min(16, 'must have 16 characters or more').optional(),
  SERVICE_PHASE: z.enum(['sandbox', 'staging', 'production']).default('sandbox'),
  TRUST_PROXY: proxies,
  MAX_CONNECTIONS: count(1000),
  MAX_CONNECTIONS_PER_ADDRESS: count(256),
  MAX_REQUESTS_PER_ADDRESS: count(1000),
  CLIENT_TIMEOUT_MS: milliseconds(10_000).pipe(z.int().min(1)),
  METRICS_PORT: port.optional(),
  WORKERS: workers,
  CONSOLE: z.enum(['on', 'off']).default('on'),
  CONSOLE_DIR: z.string().default(builtConsoleDir),
  CORS_ORIGINS: list.pipe(corsOrigins),
  LOG_LEVEL: z.enum(logLevels).default('info'),
  BROADCAST_WAIT_MS: milliseconds(15_000),
  SNAPSHOT_MAX_AGE_MS: milliseconds(10_000),
  MAX_BLOCK_AGE_MS: milliseconds(300_000),
  DRAIN_MS: milliseconds(5000, maxDrainMs),
  WEBHOOKS: z.enum(['public', 'local', 'off']).default('public'),
  WEBHOOK_RETRY_SECONDS: z
    .string()
    .default('5,300,1800,7200,18000,36000,50400,72000,86400')
    .pipe(split)
    .pipe(z.array(seconds).max(20)),
  WEBHOOK_TIMEOUT_MS: milliseconds(10_000).pipe(z.int().min(1).max(60_000)),
})

/** The names of the variables that the settings are read from. */
export const settingNames: readonly string[] = Object.keys(schema.shape)

/**
 * Reads the settings from the environment.
 *
 * @throws `Error` that names each bad variable; a secret is never quoted
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const named = settingNames.map((name) => [name, environment[name]] as const)
  const given = named.filter(([, value]) => value !== undefined && value !== '')
  const result = schema.safeParse(Object.fromEntries(given))
  if (!result.success) throw new Error(`Cannot start: ${z.prettifyError(result.error)}`)
  const settings = result.data
  if (settings.WORKERS > 1 && (settings.DATABASE_URL === undefined || settings.REDIS_URL === undefined)) {
    throw new Error(
      `Cannot start: WORKERS is ${settings.WORKERS}, which needs DATABASE_URL and REDIS_URL. Processes can share neither the embedded database nor limits in memory`,
    )
  }
  return {
    host: settings.HOST,
    port: settings.PORT,
    deploymentsDir: settings.DEPLOYMENTS_DIR,
    rpcUrls: mapChains((chainId) => settings[`RPC_URL_${chainId}`]),
    databaseUrl: settings.DATABASE_URL,
    dataDir: settings.DATA_DIR,
    redisUrl: settings.REDIS_URL,
    adminKey: settings.ADMIN_KEY,
    phase: settings.SERVICE_PHASE,
    trustedProxies: settings.TRUST_PROXY,
    maxConnections: settings.MAX_CONNECTIONS,
    maxConnectionsPerAddress: settings.MAX_CONNECTIONS_PER_ADDRESS,
    maxRequestsPerAddress: settings.MAX_REQUESTS_PER_ADDRESS,
    clientTimeoutMs: settings.CLIENT_TIMEOUT_MS,
    metricsPort: settings.METRICS_PORT,
    workers: settings.WORKERS,
    consoleDir: settings.CONSOLE === 'on' ? settings.CONSOLE_DIR : undefined,
    corsOrigins: settings.CORS_ORIGINS,
    logLevel: settings.LOG_LEVEL,
    broadcastWaitMs: settings.BROADCAST_WAIT_MS,
    snapshotMaxAgeMs: settings.SNAPSHOT_MAX_AGE_MS,
    maxBlockAgeMs: settings.MAX_BLOCK_AGE_MS,
    drainMs: settings.DRAIN_MS,
    webhookTargets: settings.WEBHOOKS,
    webhookRetrySeconds: settings.WEBHOOK_RETRY_SECONDS,
    webhookTimeoutMs: settings.WEBHOOK_TIMEOUT_MS,
  }
}
