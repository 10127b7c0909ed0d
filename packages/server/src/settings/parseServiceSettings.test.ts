import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { parseServiceSettings } from './parseServiceSettings.ts'

describe('parseServiceSettings', () => {
  it('parseServiceSettings splits lists, and treats an empty variable as unset', () => {
    const environment = {
      RPC_URL_84532: 'https://a.example, https://b.example',
      CORS_ORIGINS: 'https://app.example',
      PORT: '',
    }
    expect(parseServiceSettings(environment)).toMatchObject({
      port: 3000,
      rpcUrls: { 84532: ['https://a.example', 'https://b.example'] },
      corsOrigins: ['https://app.example'],
    })
  })

  it('parseServiceSettings accepts nodes by HTTP and by WebSocket, and keeps their order', () => {
    const urls = ['wss://a.example/key', 'https://b.example', 'ws://127.0.0.1:8546', 'http://127.0.0.1:8545']
    expect(parseServiceSettings({ RPC_URL_421614: urls.join(',') })).toMatchObject({ rpcUrls: { 421614: urls } })
  })

  it('ADMIN_KEYS has an operator on each line', () => {
    const [first, second] = ['a'.repeat(64), 'b'.repeat(64)]
    expect(parseServiceSettings({ ADMIN_KEYS: `ada:read+keys:${first},${second}\r\n` }).adminKeys).toEqual([
      { name: 'ada', roles: ['read', 'keys'], digests: [first, second] },
    ])
  })

  it('error: a bad line of ADMIN_KEYS is named by its number and not quoted', () => {
    const parse = () => parseServiceSettings({ ADMIN_KEYS: 'ada:read:S3CRET-of-ada' })
    expect(parse).toThrow(/line 1: the digests must be .*\n.*ADMIN_KEYS/)
    expect(parse).not.toThrow(/S3CRET/)
  })

  it('error: ADMIN_KEYS repeats neither the operator admin of ADMIN_KEY nor its secret', () => {
    const ADMIN_KEY = 'the-key-of-the-operators'
    const digest = hash('sha256', ADMIN_KEY, 'hex')
    const other = 'c'.repeat(64)
    expect(() => parseServiceSettings({ ADMIN_KEY, ADMIN_KEYS: `admin:read:${other}` })).toThrow('the operator admin')
    expect(() => parseServiceSettings({ ADMIN_KEY, ADMIN_KEYS: `ada:read:${other},${digest}` })).toThrow(
      'the operator ada of ADMIN_KEYS has the secret of ADMIN_KEY',
    )
    expect(parseServiceSettings({ ADMIN_KEYS: `admin:read:${digest}` }).adminKeys).toHaveLength(1)
  })

  it('error: two servers have the same port', () => {
    for (const environment of [{ ADMIN_PORT: '3000' }, { ADMIN_PORT: '9090', METRICS_PORT: '9090' }])
      expect(() => parseServiceSettings(environment)).toThrow('PORT, METRICS_PORT and ADMIN_PORT must differ')
    expect(parseServiceSettings({ PORT: '0', ADMIN_PORT: '0' })).toMatchObject({ port: 0, adminPort: 0 })
  })

  it('CONSOLE=off serves no console, and CONSOLE_DIR another one', () => {
    expect(parseServiceSettings({ CONSOLE: 'off', CONSOLE_DIR: '/console' }).consoleDir).toBeUndefined()
    expect(parseServiceSettings({ CONSOLE: 'on', CONSOLE_DIR: '/console' })).toMatchObject({ consoleDir: '/console' })
  })

  it('TRUST_PROXY trusts none, one or a number of proxies', () => {
    const parse = (value: string) => parseServiceSettings({ TRUST_PROXY: value }).trustedProxies
    expect(['off', 'on', 'true', '2'].map(parse)).toEqual([0, 1, 1, 2])
  })

  it.each([
    ['PORT', { PORT: '70000' }],
    ['RPC_URL_84532', { RPC_URL_84532: 'not a url' }],
    ['RPC_URL_421614', { RPC_URL_421614: 'wss://a.example,ftp://b.example' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['LOG_ADDRESS', { LOG_ADDRESS: 'on' }],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }],
    ['OTEL_EXPORTER_OTLP_HEADERS', { OTEL_EXPORTER_OTLP_HEADERS: 'api-key' }],
    ['OTEL_TRACES_SAMPLER_ARG', { OTEL_TRACES_SAMPLER_ARG: '1.5' }],
    ['CONSOLE', { CONSOLE: 'false' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://root@127.0.0.1/agio' }],
    ['REDIS_URL', { REDIS_URL: 'http://127.0.0.1:6379' }],
    ['SERVICE_PHASE', { SERVICE_PHASE: 'beta' }],
    ['REQUEST_LOG_DAYS', { REQUEST_LOG_DAYS: '-1' }],
    ['REQUEST_LOG_ROWS', { REQUEST_LOG_ROWS: '0' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'maybe' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'ftp://agio.example' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://agio.example/fx?key=1' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://name:word@agio.example' }],
    ['METRICS_PORT', { METRICS_PORT: '65536' }],
    ['DRAIN_MS', { DRAIN_MS: '3600001' }],
    ['WEBHOOKS', { WEBHOOKS: 'all' }],
    ['WEBHOOK_RETRY_SECONDS', { WEBHOOK_RETRY_SECONDS: '5,-1' }],
    ['WEBHOOK_DELIVERY_DAYS', { WEBHOOK_DELIVERY_DAYS: '0' }],
    ['USAGE_DAYS', { USAGE_DAYS: '36501' }],
    ['AUDIT_DAYS', { AUDIT_DAYS: 'never' }],
    ['WEBHOOK_TIMEOUT_MS', { WEBHOOK_TIMEOUT_MS: '0' }],
    ['MAX_CONNECTIONS', { MAX_CONNECTIONS: '0' }],
    ['CLIENT_TIMEOUT_MS', { CLIENT_TIMEOUT_MS: '1.5' }],
  ])('error: parseServiceSettings names a bad %s', (name, environment) => {
    expect(() => parseServiceSettings(environment)).toThrow(name)
  })

  it.each([
    ['https://agio.example', 'https://agio.example'],
    ['https://agio.example:443/fx/', 'https://agio.example/fx'],
  ])('PUBLIC_URL=%s is %s', (value, publicUrl) => {
    expect(parseServiceSettings({ PUBLIC_URL: value })).toMatchObject({ publicUrl })
  })

  it.each(['http://[::1]:8080', 'capacitor://localhost'])('parseServiceSettings accepts %s as an origin', (origin) => {
    expect(parseServiceSettings({ CORS_ORIGINS: origin })).toMatchObject({ corsOrigins: [origin] })
  })

  it.each([
    ['https://app.example/', 'write https://app.example'],
    ['HTTPS://App.example:443', 'write https://app.example'],
    ['*', 'a wildcard is not an origin: list every origin by itself, for instance https://app.example'],
    ['https://*.example', 'a wildcard is not an origin: list every origin by itself'],
    ['app.example', 'it is not an origin: write scheme, host and port, for instance https://app.example'],
  ])('error: CORS_ORIGINS=%s is refused with what to write instead', (origin, reason) => {
    const read = () => parseServiceSettings({ CORS_ORIGINS: `https://shop.example,${origin}` })
    expect(read).toThrow(reason)
    expect(read).toThrow('CORS_ORIGINS[1]')
  })

  it.each([
    ['https://user:secret@app.example', 'write https://app.example\n'],
    ['https://user:secret@*.example', 'a wildcard is not an origin'],
    ['user:secret@app.example', 'it is not an origin'],
  ])('error: the refusal of CORS_ORIGINS=%s does not quote its credentials', (origin, reason) => {
    const read = () => parseServiceSettings({ CORS_ORIGINS: origin })
    expect(read).toThrow(reason)
    expect(read).toThrow(/^(?!.*(user|secret))/s)
  })

  it('error: parseServiceSettings never quotes a bad secret', () => {
    expect(() => parseServiceSettings({ ADMIN_KEY: 'too-short' })).toThrow(/^(?!.*too-short).*ADMIN_KEY/s)
  })
})

it('error: processes that share a port need a database and a Redis that they share', () => {
  const shared = { DATABASE_URL: 'postgres://agio@db/agio', REDIS_URL: 'redis://cache' }
  expect(parseServiceSettings({ ...shared, REUSE_PORT: 'on' }).reusePort).toBe('on')
  for (const environment of [{}, { ...shared, REDIS_URL: '' }, { ...shared, DATABASE_URL: '' }])
    expect(() => parseServiceSettings({ ...environment, REUSE_PORT: 'on' })).toThrow(
      'REUSE_PORT=on needs DATABASE_URL and REDIS_URL',
    )
})

it('error: WORKERS above 1 is refused, and names the page about replicas', () => {
  for (const WORKERS of ['2', 'auto'])
    expect(() => parseServiceSettings({ WORKERS })).toThrow(
      'the setting WORKERS was removed. Start each process itself, with REUSE_PORT=on: see docs/operate/replicas.md',
    )
  for (const WORKERS of ['', '1']) expect(parseServiceSettings({ WORKERS })).toMatchObject({ reusePort: 'off' })
})
