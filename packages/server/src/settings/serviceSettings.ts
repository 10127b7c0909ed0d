import type { Operator } from '@agio/core'
import { z } from 'zod'
import { assets } from '../assets/assets.ts'
import { defineSettings } from './defineSettings.ts'
import { nodeSettings } from './nodeSettings.ts'
import {
  corsOrigins,
  days,
  daysOrNone,
  drainMilliseconds,
  list,
  masterKeys,
  milliseconds,
  operators,
  port,
  positiveInteger,
  proxies,
  seconds,
} from './settingSchemas.ts'

/** The default of `WEBHOOK_DELIVERY_DAYS` in a process that delivers. */
export const defaultDeliveryDays = 30

/** The log levels, from least to most verbose. */
export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const

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
  adminPort: {
    env: 'ADMIN_PORT',
    schema: port,
    defaultText: 'none: PORT serves the operations of operators',
    group: 'network',
    help: 'Another port, on ADMIN_HOST, for operators. It serves everything, and PORT no longer serves admin/* and /metrics',
  },
  adminHost: {
    env: 'ADMIN_HOST',
    schema: z.string(),
    default: '127.0.0.1',
    group: 'network',
    help: 'Address to listen on for ADMIN_PORT',
  },
  reusePort: {
    env: 'REUSE_PORT',
    schema: z.enum(['on', 'off']),
    default: 'off',
    group: 'network',
    help: 'on: several processes can listen on PORT, and Linux distributes the connections among them. Needs DATABASE_URL and REDIS_URL',
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
  ...nodeSettings,
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
    help: 'Maximum time that a broadcast waits until its transaction is mined. If it waits for 5000 ms or more and the transaction is still pending, it sends the transaction once more, to another node',
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
    help: 'report: nodes that disagree about the fork that they follow, the end of a transaction, a pool, a token or a contract make the chain degraded. stop: quotes are also refused until nodes have not disagreed for ten minutes',
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
  masterKeys: {
    env: 'MASTER_KEY',
    schema: masterKeys,
    defaultText: 'none: they are stored in plain text',
    group: 'storage',
    help: 'Key that encrypts the secrets of quotes and webhooks in the database: 32 bytes in base64, from openssl rand -base64 32. A second line has the earlier key, which only decrypts',
    secret: true,
  },
  requestLogDays: {
    env: 'REQUEST_LOG_DAYS',
    schema: daysOrNone,
    default: 7,
    group: 'storage',
    help: 'Days for which the latest requests of each key are kept. 0 logs none, and deletes the logged requests',
  },
  requestLogRows: {
    env: 'REQUEST_LOG_ROWS',
    schema: positiveInteger,
    default: 100_000,
    group: 'storage',
    help: 'Maximum number of requests that are kept for each key',
  },
  adminKey: {
    env: 'ADMIN_KEY',
    schema: z.string().min(16, 'must have 16 characters or more'),
    defaultText: 'none: without it and ADMIN_KEYS, operator operations and /metrics are 404',
    group: 'operation',
    help: 'Key of the operator admin, who has all roles. At least 16 characters',
    secret: true,
  },
  adminKeys: {
    env: 'ADMIN_KEYS',
    // Declarations can name the type of an operator only where it is imported.
    schema: operators satisfies z.ZodType<readonly Operator.Operator[]>,
    defaultText: 'none',
    group: 'operation',
    help: 'Operators, one a line: name:roles:sha256[,sha256]. pnpm keys operator creates a line',
    secret: true,
  },
  usageDays: {
    env: 'USAGE_DAYS',
    schema: days,
    defaultText: 'without end',
    group: 'storage',
    help: 'Days for which the usage of keys is kept, by whole months. The current month is always kept',
  },
  auditDays: {
    env: 'AUDIT_DAYS',
    schema: days,
    defaultText: 'without end',
    group: 'storage',
    help: 'Days for which the audit log is kept',
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
    default: assets.console,
    defaultText: 'packages/console/dist',
    group: 'operation',
    help: 'Folder of the built console, which pnpm build writes',
  },
  maxConnections: {
    env: 'MAX_CONNECTIONS',
    schema: positiveInteger,
    default: 1000,
    group: 'limits',
    help: 'Maximum number of connections. Above it, a new connection replaces an idle one: first those without a valid key, while they exceed a tenth. Not on Deno',
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
  deliveryDays: {
    env: 'WEBHOOK_DELIVERY_DAYS',
    schema: days,
    defaultText: `${defaultDeliveryDays}, or without end with WEBHOOKS=off`,
    group: 'webhooks',
    help: 'Days for which ended webhook deliveries are kept. Use the same value in all processes. Successful ones are kept for at most 7 days',
  },
  webhookTimeoutMs: {
    env: 'WEBHOOK_TIMEOUT_MS',
    schema: milliseconds.pipe(z.int().min(1).max(60_000)),
    default: 10_000,
    group: 'webhooks',
    help: 'Time limit of one webhook delivery attempt. At most 60000',
  },
})
