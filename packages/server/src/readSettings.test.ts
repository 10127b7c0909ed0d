import { describe, expect, it } from 'vitest'
import { readSettings } from './readSettings.ts'

describe('readSettings', () => {
  it('fills in the defaults', () => {
    expect(readSettings({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      deploymentsDir: 'deployments',
      rpcUrls: { 84532: ['http://127.0.0.1:8545'], 421614: ['http://127.0.0.1:8546'] },
      dataDir: '.data',
      phase: 'sandbox',
      trustedProxies: 0,
      corsOrigins: [],
      logLevel: 'info',
      broadcastWaitMs: 15_000,
      snapshotMaxAgeMs: 10_000,
    })
  })

  it('reads lists, and takes an empty variable as unset', () => {
    const environment = {
      RPC_URL_84532: 'https://a.example, https://b.example',
      CORS_ORIGINS: 'https://app.example',
      PORT: '',
    }
    expect(readSettings(environment)).toMatchObject({
      port: 3000,
      rpcUrls: { 84532: ['https://a.example', 'https://b.example'] },
      corsOrigins: ['https://app.example'],
    })
  })

  it('takes nodes by HTTP and by WebSocket, in their order', () => {
    const urls = ['wss://a.example/key', 'https://b.example', 'ws://127.0.0.1:8546', 'http://127.0.0.1:8545']
    expect(readSettings({ RPC_URL_421614: urls.join(',') })).toMatchObject({ rpcUrls: { 421614: urls } })
  })

  it.each([
    ['off', 0],
    ['on', 1],
    ['true', 1],
    ['2', 2],
  ])('TRUST_PROXY=%s stands for %i proxies', (value, trustedProxies) => {
    expect(readSettings({ TRUST_PROXY: value })).toMatchObject({ trustedProxies })
  })

  it.each([
    ['PORT', { PORT: 'http' }],
    ['PORT', { PORT: '70000' }],
    ['RPC_URL_84532', { RPC_URL_84532: 'not a url' }],
    ['RPC_URL_421614', { RPC_URL_421614: 'wss://a.example,ftp://b.example' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://root@127.0.0.1/agio' }],
    ['REDIS_URL', { REDIS_URL: 'http://127.0.0.1:6379' }],
    ['SERVICE_PHASE', { SERVICE_PHASE: 'beta' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'maybe' }],
    ['METRICS_PORT', { METRICS_PORT: '65536' }],
  ])('error: names %s', (name, environment) => {
    expect(() => readSettings(environment)).toThrow(name)
  })

  it('error: never quotes a secret', () => {
    expect(() => readSettings({ ADMIN_KEY: 'too-short' })).toThrow(/^(?!.*too-short).*ADMIN_KEY/s)
  })
})
