import { describe, expect, it } from 'vitest'
import { readSettings } from './readSettings.ts'

const key = 'shop:0123456789abcdef'

describe('readSettings', () => {
  it('fills in the defaults', () => {
    expect(readSettings({ API_KEYS: key })).toEqual({
      host: '127.0.0.1',
      port: 3000,
      deploymentsDir: 'deployments',
      rpcUrls: { 84532: ['http://127.0.0.1:8545'], 421614: ['http://127.0.0.1:8546'] },
      apiKeys: [{ name: 'shop', secret: '0123456789abcdef', tier: 'standard' }],
      corsOrigins: [],
      logLevel: 'info',
      broadcastWaitMs: 15_000,
      snapshotMaxAgeMs: 10_000,
    })
  })

  it('reads lists, and takes an empty variable as unset', () => {
    const environment = {
      API_KEYS: `${key}, bank:fedcba9876543210`,
      RPC_URL_84532: 'https://a.example, https://b.example',
      CORS_ORIGINS: 'https://app.example',
      PORT: '',
    }
    expect(readSettings(environment)).toMatchObject({
      port: 3000,
      apiKeys: [{ name: 'shop' }, { name: 'bank' }],
      rpcUrls: { 84532: ['https://a.example', 'https://b.example'] },
      corsOrigins: ['https://app.example'],
    })
  })

  it.each([
    ['PORT', { PORT: 'http' }],
    ['PORT', { PORT: '70000' }],
    ['RPC_URL_84532', { RPC_URL_84532: 'not a url' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['API_KEYS', { API_KEYS: '' }],
  ])('error: names %s', (name, environment) => {
    expect(() => readSettings({ API_KEYS: key, ...environment })).toThrow(name)
  })

  it('error: never quotes a secret', () => {
    expect(() => readSettings({ API_KEYS: 'shop:too-short' })).toThrow(expect.not.stringContaining('too-short'))
  })
})
