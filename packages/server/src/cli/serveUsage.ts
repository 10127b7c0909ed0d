import { chainIds } from '@agio/core'

/** The usage of `pnpm serve` and `pnpm serve:deno`. */
export const serveUsage = `pnpm serve, pnpm serve:deno

Serves the API on Node or on Deno, with settings from the environment. On Deno it has the permissions that these settings need;
"pnpm serve:deno --print" prints the command with these permissions, for an init system.
  PORT, HOST           where the service listens, default 3000 and 127.0.0.1
  ADMIN_KEY            enables admin/* and /metrics; 16 characters or more
  ${chainIds.map((chainId) => `RPC_URL_${chainId}`).join(', ')}
                       upstream nodes, comma-separated, in order of preference; default: the local chains
  DEPLOYMENTS_DIR      the folder of <chainId>.json, default deployments
  DATABASE_URL         the PostgreSQL of keys and usage; without it they are in DATA_DIR
  DATA_DIR             the folder of the embedded database, default .data
  REDIS_URL            the Redis of the limits; without it each process has its own limits
  SERVICE_PHASE        sandbox (default), staging or production
  TRUST_PROXY          the number of proxies in front of the service, default off
  METRICS_PORT         a port for /metrics without a key
  WORKERS              how many processes serve, or auto: one for each core; default 1. Several need DATABASE_URL
                       and REDIS_URL
  CORS_ORIGINS         origins whose pages may call the service, comma-separated
  CONSOLE              off serves no /console, default on
  CONSOLE_DIR          the folder of the built console, default that of "pnpm build"
  LOG_LEVEL            fatal to trace, or silent; default info
  BROADCAST_WAIT_MS    how long a broadcast waits to be mined, default 15000
  SNAPSHOT_MAX_AGE_MS  the maximum age of the last confirmed block, default 10000
  MAX_BLOCK_AGE_MS     the age of the newest block above which previews are refused, default 300000
  DRAIN_MS             how long the service answers after SIGTERM before it closes its port, default 5000`
