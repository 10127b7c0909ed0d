import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { Network } from '@agio/core'
import { z } from 'zod'
import { defineSettings } from './defineSettings.ts'

/** The folder that `pnpm build` writes the console to. */
export const builtConsoleDir = resolve(import.meta.dirname, '../../../console/dist')

/** The log levels, from least to most verbose. */
export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const

const list = z.string().transform((text): readonly string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

const integer = z.string().regex(/^\d+$/, 'must be a whole number').transform(Number)
const positiveInteger = integer.pipe(z.int().min(1))
const port = integer.pipe(z.int().max(65_535))

// The longest delay of a timer.
const milliseconds = integer.pipe(z.int().max(2_147_483_647))

// Supervisors wait for a few minutes at most.
const drainMilliseconds = integer.pipe(z.int().max(3_600_000))

const seconds = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .transform(Number)
  .pipe(z.number().max(604_800))

// More workers than cores only cost memory.
const workers = z.union([
  z.literal('auto').transform(() => availableParallelism()),
  z
    .string()
    .regex(/^[1-9]\d?$/)
    .transform(Number),
])

// `on` stands for one proxy.
const proxies = z.union([
  z.enum(['off', 'false', 'no']).transform(() => 0),
  z.enum(['on', 'true', 'yes']).transform(() => 1),
  z.string().regex(/^\d$/).transform(Number),
])

const nodeUrls = list
  .pipe(z.array(z.url({ protocol: /^(http|ws)s?$/ })).min(1))
  .transform((urls): readonly string[] => urls)

const example = 'for instance https://app.example'

/**
 * Accepts origins exactly as browsers send them in `Origin`. The error for any other value says what to write instead.
 */
const corsOrigins = z.array(
  z.string().superRefine((value, context) => {
    const message = findOriginError(value)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  }),
)

type NodeSetting = {
  readonly env: `RPC_URL_${Network.ChainId}`
  readonly schema: typeof nodeUrls
  readonly default: readonly string[]
  readonly group: 'chains'
  readonly help: string
  readonly secret: true
}

const nodes = Object.fromEntries(
  Network.chainIds.map((chainId): [string, NodeSetting] => [
    `rpcUrl${chainId}`,
    {
      env: `RPC_URL_${chainId}`,
      schema: nodeUrls,
      default: [`http://127.0.0.1:${Network.toLocalRpcPort(chainId)}`],
      group: 'chains',
      help: `Nodes of chain ${chainId} by http(s):// or ws(s)://, comma-separated, in order of preference. With ws(s):// the service subscribes to new blocks`,
      secret: true,
    },
  ]),
) as Record<`rpcUrl${Network.ChainId}`, NodeSetting>

/**
 * The settings of the service. The type of the settings, their parsing, `--help`, docs/operate/settings.md and the permissions
 * of Deno are derived from this table.
 */
export const serviceSettings = defineSettings({
  host: { env: 'HOST', schema: z.string(), default: '127.0.0.1', group: 'network', help: 'Address to listen on' },
  port: { env: 'PORT', schema: port, default: 3000, group: 'network', help: 'Port of the API. 0 takes any free port' },
  metricsPort: {
    env: 'METRICS_PORT',
    schema: port,
    group: 'network',
    help: 'Another port, on HOST, that serves /metrics without a key',
  },
  trustedProxies: {
    env: 'TRUST_PROXY',
    schema: proxies,
    default: 0,
    defaultText: 'off',
    group: 'network',
    help: 'Number of your own proxies in front of the service (on: one). Only the entries of X-Forwarded-For that they wrote are trusted',
  },
  corsOrigins: {
    env: 'CORS_ORIGINS',
    schema: list.pipe(corsOrigins),
    default: [],
    defaultText: 'none',
    group: 'network',
    help: 'Origins whose pages may call the service, comma-separated: scheme, host and port, without a path or a wildcard',
  },
  drainMs: {
    env: 'DRAIN_MS',
    schema: drainMilliseconds,
    default: 5000,
    group: 'network',
    help: 'Time for which the service continues to answer after SIGTERM, before it closes its port. At most an hour',
  },
  ...nodes,
  deploymentsDir: {
    env: 'DEPLOYMENTS_DIR',
    schema: z.string(),
    default: 'deployments',
    group: 'chains',
    help: 'Folder of the deployment files, <chainId>.json',
  },
  broadcastWaitMs: {
    env: 'BROADCAST_WAIT_MS',
    schema: milliseconds,
    default: 15_000,
    group: 'chains',
    help: 'Maximum time that a broadcast waits until its transaction is mined',
  },
  snapshotMaxAgeMs: {
    env: 'SNAPSHOT_MAX_AGE_MS',
    schema: milliseconds,
    default: 10_000,
    group: 'chains',
    help: 'Maximum age of the last confirmed block. Previews continue for this time while no node answers',
  },
  maxBlockAgeMs: {
    env: 'MAX_BLOCK_AGE_MS',
    schema: milliseconds,
    default: 300_000,
    group: 'chains',
    help: 'Maximum age of the newest block by its timestamp. If the block is older, the chain lags and previews are refused',
  },
  nodeDisagreement: {
    env: 'NODE_DISAGREEMENT',
    schema: z.enum(['report', 'stop']),
    default: 'report',
    group: 'chains',
    help: 'report: nodes that disagree about a final receipt or the state of the pools make the chain degraded. stop: quotes are also refused until nodes have not disagreed for ten minutes',
  },
  databaseUrl: {
    env: 'DATABASE_URL',
    schema: z.url({ protocol: /^postgres(ql)?$/ }),
    defaultText: 'an embedded database in DATA_DIR',
    group: 'storage',
    help: 'PostgreSQL URL for API keys and usage',
    secret: true,
  },
  dataDir: {
    env: 'DATA_DIR',
    schema: z.string(),
    default: '.data',
    group: 'storage',
    help: 'Folder of the embedded database, which one process can use. Other users of the machine cannot read it',
  },
  redisUrl: {
    env: 'REDIS_URL',
    schema: z.url({ protocol: /^rediss?$/ }),
    defaultText: 'each process counts on its own',
    group: 'storage',
    help: 'Redis URL for rate limits that processes share',
    secret: true,
  },
  workers: {
    env: 'WORKERS',
    schema: workers,
    default: 1,
    group: 'storage',
    help: 'Number of processes that serve the port, or auto for one per core. More than one needs DATABASE_URL and REDIS_URL',
  },
  adminKey: {
    env: 'ADMIN_KEY',
    schema: z.string().min(16, 'must have 16 characters or more'),
    defaultText: 'none: operator operations and /metrics are 404',
    group: 'operation',
    help: 'Key of the operators, at least 16 characters',
    secret: true,
  },
  phase: {
    env: 'SERVICE_PHASE',
    schema: z.enum(['sandbox', 'staging', 'production']),
    default: 'sandbox',
    group: 'operation',
    help: 'sandbox counts quotas. staging and production enforce them',
  },
  logLevel: {
    env: 'LOG_LEVEL',
    schema: z.enum(logLevels),
    default: 'info',
    group: 'operation',
    help: `Least severe level to log: ${logLevels.join(', ')}`,
  },
  console: {
    env: 'CONSOLE',
    schema: z.enum(['on', 'off']),
    default: 'on',
    group: 'operation',
    help: 'on serves the console at /console',
  },
  consoleDir: {
    env: 'CONSOLE_DIR',
    schema: z.string(),
    default: builtConsoleDir,
    defaultText: 'packages/console/dist',
    group: 'operation',
    help: 'Folder of the built console, which pnpm build writes',
  },
  maxConnections: {
    env: 'MAX_CONNECTIONS',
    schema: positiveInteger,
    default: 1000,
    group: 'limits',
    help: 'Maximum number of connections. Above it, a new connection replaces an idle one, and first one that has not sent a valid key. Not on Deno',
  },
  maxConnectionsPerAddress: {
    env: 'MAX_CONNECTIONS_PER_ADDRESS',
    schema: positiveInteger,
    default: 256,
    group: 'limits',
    help: 'Maximum number of connections from one client address, if TRUST_PROXY is off. Not on Deno',
  },
  maxStreams: {
    env: 'MAX_STREAMS',
    schema: positiveInteger,
    defaultText: 'half of MAX_CONNECTIONS',
    group: 'limits',
    help: 'Maximum number of open streams. Further streams are 503. Set it below MAX_CONNECTIONS, so that other requests have room',
  },
  maxRequestsPerAddress: {
    env: 'MAX_REQUESTS_PER_ADDRESS',
    schema: positiveInteger,
    default: 1000,
    group: 'limits',
    help: 'Maximum number of requests in progress from one client address. Further requests are 429',
  },
  clientTimeoutMs: {
    env: 'CLIENT_TIMEOUT_MS',
    schema: milliseconds.pipe(z.int().min(1)),
    default: 10_000,
    group: 'limits',
    help: 'Time limit for a client to send its headers, and again for its body. A client that reads nothing for 1.5 times as long is disconnected',
  },
  webhookTargets: {
    env: 'WEBHOOKS',
    schema: z.enum(['public', 'local', 'off']),
    default: 'public',
    group: 'webhooks',
    help: 'Allowed webhook receivers. public: public addresses over https. local: local addresses too. off: no webhooks',
  },
  webhookRetrySeconds: {
    env: 'WEBHOOK_RETRY_SECONDS',
    schema: list.pipe(z.array(seconds).max(20)).transform((delays): readonly number[] => delays),
    // From the Standard Webhooks specification.
    default: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
    group: 'webhooks',
    help: 'Delays between the attempts of a webhook delivery, comma-separated. At most 20',
  },
  webhookTimeoutMs: {
    env: 'WEBHOOK_TIMEOUT_MS',
    schema: milliseconds.pipe(z.int().min(1).max(60_000)),
    default: 10_000,
    group: 'webhooks',
    help: 'Time limit of one webhook delivery attempt. At most 60000',
  },
})

function findOriginError(value: string): string | undefined {
  // The error never quotes the value, which may contain credentials.
  if (value.includes('*')) return `a wildcard is not an origin: list every origin by itself, ${example}`
  const url = URL.parse(value)
  if (!url?.host) return `it is not an origin: write scheme, host and port, ${example}`
  // `URL.origin` is 'null' for custom schemes, although their pages send an origin.
  const origin = `${url.protocol}//${url.host}`
  return value === origin ? undefined : `an origin is only a scheme, a host and a port: write ${origin}`
}
