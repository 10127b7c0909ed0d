/** The series of a healthy service with two processes, as promtool's notation of a value each minute for two hours. */
export const healthy: Series = {
  'up{job="agio",instance="a"}': '1x120',
  'up{job="agio",instance="b"}': '1x120',
  'agio_requests_total{job="agio",instance="a",operation="convert.preview",status="200"}': '0+6000x120',
  // 0.05 % of the responses.
  'agio_requests_total{job="agio",instance="a",operation="convert.preview",status="503"}': '0+3x120',
  'agio_request_duration_seconds_bucket{job="agio",instance="a",operation="convert.preview",le="0.25"}': '0+5980x120',
  'agio_request_duration_seconds_count{job="agio",instance="a",operation="convert.preview"}': '0+6000x120',
  'agio_webhook_attempts_total{job="agio",instance="a",outcome="delivered"}': '0+1000x120',
  'agio_webhook_attempts_total{job="agio",instance="a",outcome="retried"}': '0+5x120',
  'agio_webhook_attempts_total{job="agio",instance="a",outcome="disabled"}': '0x120',
  'agio_storage_up{job="agio",instance="a"}': '1x120',
  'agio_storage_writable{job="agio",instance="a"}': '1x120',
  'agio_usage_waiting_calls{job="agio",instance="a"}': '40x120',
  'agio_limits_shared{job="agio",instance="a"}': '1x120',
  // A process without Redis never had shared limits.
  'agio_limits_shared{job="agio",instance="b"}': '0x120',
  'agio_chain_confirmed_seconds{job="agio",instance="a",chain="84532"}': '0.6x120',
  'agio_chain_block_number{job="agio",instance="a",chain="84532"}': '1+30x120',
  'agio_chain_node_up{job="agio",instance="a",chain="84532",node="1"}': '1x120',
  'agio_chain_node_up{job="agio",instance="a",chain="84532",node="2"}': '1x120',
  'agio_chain_doubtful_answers_total{job="agio",instance="a",chain="84532",subject="head"}': '2x120',
  'agio_chain_disproven_pools{job="agio",instance="a",chain="84532"}': '0x120',
  'agio_connections_closed_total{job="agio",instance="a",reason="all-busy"}': '3x120',
  'agio_connections_closed_total{job="agio",instance="a",reason="idle"}': '0+10x120',
  'agio_request_log_dropped_total{job="agio",instance="a",reason="sampled"}': '0+100x120',
  'agio_request_log_dropped_total{job="agio",instance="a",reason="lost"}': '0x120',
  'agio_log_lines_dropped_total{job="agio",instance="a"}': '0x120',
  'nodejs_eventloop_lag_p99_seconds{job="agio",instance="a"}': '0.02x120',
  // Every process reports the queues of all.
  'agio_webhook_backlog{job="agio",instance="a",state="due"}': '0 12 3 0x117',
  'agio_webhook_backlog{job="agio",instance="b",state="due"}': '0 11 3 0x117',
  'agio_webhook_backlog{job="agio",instance="a",state="waiting"}': '4000x120',
  'agio_webhook_backlog_oldest_seconds{job="agio",instance="a",state="due"}': '0 2 1 0x117',
  // A receiver that fails for a day.
  'agio_webhook_backlog_oldest_seconds{job="agio",instance="a",state="waiting"}': '86400x120',
  'agio_followed_transactions{job="agio",instance="a",state="due"}': '20x120',
  'agio_followed_transactions{job="agio",instance="a",state="late"}': '0x120',
  // A short peak.
  'agio_database_waiting{job="agio",instance="a"}': '0x10 3x2 0x107',
  'agio_redis_duration_seconds_bucket{job="agio",instance="a",command="admit",outcome="ok",le="0.05"}': '0+5995x120',
  'agio_redis_duration_seconds_bucket{job="agio",instance="a",command="admit",outcome="ok",le="0.1"}': '0+6000x120',
  'agio_redis_duration_seconds_bucket{job="agio",instance="a",command="admit",outcome="ok",le="+Inf"}': '0+6000x120',
  'agio_redis_duration_seconds_count{job="agio",instance="a",command="admit",outcome="ok"}': '0+6000x120',
  'agio_redis_duration_seconds_count{job="agio",instance="a",command="admit",outcome="failed"}': '0+1x120',
  'agio_limit_refusals_total{job="agio",instance="a",limit="rate"}': '0+60x120',
  'agio_limit_refusals_total{job="agio",instance="a",limit="streams"}': '0x120',
  // A stranger without a key is refused all the time.
  'agio_limit_refusals_total{job="agio",instance="a",limit="without-key"}': '0+6000x120',
  'agio_limit_refusals_total{job="agio",instance="a",limit="admin-guesses"}': '0x120',
  'agio_trace_spans_dropped_total{job="agio",instance="a",reason="lost"}': '0x120',
}

/** Values of series, by the name of the series. */
export type Series = Readonly<Record<string, string>>

const [page, ticket] = [{ severity: 'page' }, { severity: 'ticket' }]
const onA = { instance: 'a', job: 'agio' }
const pageOnA = { ...page, ...onA }
const ticketOnA = { ...ticket, ...onA }
const pageOnChain = { ...pageOnA, chain: '84532' }
const ticketOnChain = { ...ticketOnA, chain: '84532' }

/** What each alert fires on after two hours, with its labels and its summary. */
export const alertCases: Readonly<Record<string, AlertCase>> = {
  // 2 % of the responses.
  AgioRequestErrorsFast: [/status="503"/, '0+120x120', page, '1.961% of the responses are 5xx'],
  AgioRequestErrorsSlow: [/status="503"/, '0+48x120', ticket, '0.7937% of the responses are 5xx'],
  AgioSlowPreviewsFast: [/le="0.25"/, '0+4800x120', page, '20% of the previews and quotes take over 250 ms'],
  AgioSlowPreviewsSlow: [/le="0.25"/, '0+5400x120', ticket, '10% of the previews and quotes take over 250 ms'],
  AgioFailedDeliveriesFast: [/outcome="retried"/, '0+250x120', ticket, '20% of the attempts to deliver webhooks fail'],
  AgioFailedDeliveriesSlow: [
    /outcome="retried"/,
    '0+111x120',
    ticket,
    '9.991% of the attempts to deliver webhooks fail',
  ],
  AgioDown: [/^up.*"a"/, '1x110 0x10', pageOnA, 'a does not answer Prometheus'],
  AgioAbsent: [/^up/, '1x110 0x10', page, 'No process of Agio answers Prometheus'],
  AgioStorageDown: [/storage_up/, '1x110 0x10', pageOnA, 'a cannot reach its database'],
  AgioStorageUnwritable: [/storage_writable/, '1x110 0x10', pageOnA, 'a cannot write to its database'],
  AgioUsageWaiting: [/usage_waiting/, '0x110 20000x10', ticketOnA, '20000 counted calls wait in the memory of a'],
  AgioLimitsNotShared: [/limits_shared.*"a"/, '1x20 0x100', ticketOnA, 'a counts limits without Redis'],
  AgioChainUnconfirmed: [
    /confirmed_seconds/,
    '0.6x110 90x10',
    pageOnChain,
    'No node has confirmed a block of chain 84532 for 1m 30s',
  ],
  AgioChainStopped: [/block_number/, '1+30x100 3001x20', pageOnChain, 'Chain 84532 has no new block'],
  AgioNodeDown: [/node="1"/, '1x100 0x20', { ...ticketOnChain, node: '1' }, 'Node 1 of chain 84532 is not used'],
  AgioNodesDown: [
    /node_up/,
    '1x110 0x10',
    { ...page, chain: '84532', instance: 'a' },
    'No node of chain 84532 is healthy',
  ],
  AgioNodesDisagree: [
    /doubtful/,
    '2x115 3x5',
    { ...ticketOnChain, subject: 'head' },
    'A node of chain 84532 gave a doubtful answer about head',
  ],
  AgioPoolsDisproven: [/disproven/, '0x100 1x20', ticketOnChain, '1 pools of chain 84532 are priced by their views'],
  AgioConnectionsFull: [
    /all-busy/,
    '3x100 3+5x20',
    { ...ticketOnA, reason: 'all-busy' },
    'a refuses connections: all are busy',
  ],
  AgioRequestLogLost: [
    /reason="lost"/,
    '0x115 4x5',
    { ...ticketOnA, reason: 'lost' },
    'a loses entries of the request log: lost',
  ],
  AgioLogLinesDropped: [/lines_dropped/, '0x115 9x5', ticketOnA, 'a drops log lines'],
  AgioWebhooksDisabled: [
    /outcome="disabled"/,
    '0x115 1x5',
    { ...ticketOnA, outcome: 'disabled' },
    'A webhook was disabled after failed deliveries',
  ],
  AgioEventLoopSlow: [/eventloop/, '0.02x100 0.8x20', ticketOnA, 'The event loop of a is blocked for 800ms'],
  AgioWebhooksDelayed: [/backlog_oldest.*"due"/, '0x100 300x20', ticket, 'A webhook message has been due for 5m 0s'],
  AgioWebhookBacklog: [
    /webhook_backlog\{.*"due"/,
    '0x100 5000x20',
    ticket,
    '5000 webhook messages are due and not sent',
  ],
  AgioTransactionsLate: [/state="late"/, '0x100 12x20', ticket, '12 followed transactions are observed late'],
  AgioDatabaseBusy: [
    /database_waiting/,
    '0x100 7x20',
    ticketOnA,
    '7 statements of a wait for a connection to PostgreSQL',
  ],
  AgioRedisSlow: [
    /redis.*le="0.05"/,
    '0+5000x120',
    { ...ticket, instance: 'a' },
    '1 of 100 commands of a takes Redis 97ms',
  ],
  AgioRedisFails: [
    /outcome="failed"/,
    '0+300x120',
    { ...ticket, instance: 'a' },
    '4.762% of the commands of a to Redis fail',
  ],
  AgioLimitsRefuse: [
    /limit="rate"/,
    '0+1500x120',
    { ...ticket, limit: 'rate' },
    'The limit rate refuses 24.99% of the requests',
  ],
  AgioStreamsFull: [
    /limit="streams"/,
    '0x115 4x5',
    { ...ticketOnA, limit: 'streams' },
    'a refuses streams: it has as many as it may have',
  ],
  AgioAdminGuesses: [
    /admin-guesses/,
    '0x115 40x5',
    { ...ticketOnA, limit: 'admin-guesses' },
    'Someone guesses admin keys at a',
  ],
  AgioSpansDropped: [
    /spans_dropped/,
    '0x115 9x5',
    { ...ticket, instance: 'a', reason: 'lost' },
    'a does not send spans of traces: lost',
  ],
}

type AlertCase = readonly [
  /** The series that differ from the healthy service. */
  changed: RegExp,
  values: string,
  labels: Readonly<Record<string, string>>,
  summary: string,
]
