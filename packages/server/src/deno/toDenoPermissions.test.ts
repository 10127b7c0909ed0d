import { Network } from '@agio/core'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { parseServiceSettings } from '../settings/parseServiceSettings.ts'
import { toDenoPermissions } from './toDenoPermissions.ts'

const root = resolve(import.meta.dirname, '../../../..')
const code = ['node_modules', 'packages', 'docs', 'openapi.json'].map((name) => join(root, name))

function permissionsOf(environment: Readonly<Record<string, string>>): Readonly<Record<string, readonly string[]>> {
  const options = toDenoPermissions(parseServiceSettings(environment)).map((option) => option.split('='))
  return Object.fromEntries(
    options.map(([name = '', values = '']) => [name.replace('--allow-', ''), values.split(',')]),
  )
}

it('without webhooks the service may listen, call the local chains, and write its data directory', () => {
  expect(permissionsOf({ DATA_DIR: '/data', DEPLOYMENTS_DIR: '/deployments', WEBHOOKS: 'off' })).toEqual({
    net: ['127.0.0.1:3000', ...Network.chainIds.map((chainId) => `127.0.0.1:${Network.toLocalRpcPort(chainId)}`)],
    read: [...code, '/deployments', '/data'],
    write: ['/data'],
    env: expect.arrayContaining(['PORT', 'ADMIN_KEY', 'RPC_URL_84532']) as string[],
    sys: ['hostname', 'statfs'],
    '--ignore-env': [''],
    '--no-prompt': [''],
  })
})

it('the service may write the folder of backups of the embedded database', () => {
  expect(permissionsOf({ DATA_DIR: '/data', BACKUP_DIR: '/backups' })['write']).toEqual(['/data', '/backups'])
})

it('the service may connect to the hosts of its settings by their ports, and the options contain no secret', () => {
  const environment = {
    HOST: '::',
    METRICS_PORT: '9090',
    ADMIN_PORT: '9091',
    ADMIN_HOST: '10.0.0.2',
    ...Object.fromEntries(Network.chainIds.map((chainId) => [`RPC_URL_${chainId}`, 'ws://10.0.0.7:8546'])),
    RPC_URL_84532: 'https://node.example/v1?key=SECRET, wss://node.example/SECRET',
    DATABASE_URL: 'postgres://agio:SECRET@db.example/agio?sslrootcert=/etc/ssl/db.pem',
    REDIS_URL: 'rediss://:SECRET@redis.example',
    ADMIN_KEY: 'SECRET-SECRET-SECRET',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=SECRET',
    DEPLOYMENTS_DIR: '/deployments',
    WEBHOOKS: 'off',
  }
  expect(toDenoPermissions(parseServiceSettings(environment)).join(' ')).not.toContain('SECRET')
  const { net, read, write } = permissionsOf(environment)
  expect(net).toEqual([
    '[::]:3000',
    '[::]:9090',
    '10.0.0.2:9091',
    'node.example:443',
    '10.0.0.7:8546',
    'redis.example:6379',
    'collector.example:4318',
    'db.example:5432',
  ])
  expect(read).toEqual([...code, '/deployments', '/etc/ssl/db.pem'])
  expect(write, 'nothing is written beside the database').toBeUndefined()
})

it('a service that delivers webhooks may connect to any host', () => {
  expect(toDenoPermissions(parseServiceSettings({}))).toContain('--allow-net')
})

it('the service may use the socket of a local PostgreSQL', () => {
  const environment = { DATABASE_URL: 'postgres:///agio?host=/var/run/postgresql', WEBHOOKS: 'off' }
  const { net, read, write } = permissionsOf(environment)
  const socket = '/var/run/postgresql/.s.PGSQL.5432'
  expect(net).toContain(`unix:${socket}`)
  expect(read).toContain(socket)
  expect(write).toEqual([socket])
})

it('the service may read a console that is elsewhere, and none that it does not serve', () => {
  expect(permissionsOf({ CONSOLE_DIR: '/console' })['read']).toContain('/console')
  expect(permissionsOf({ CONSOLE_DIR: '/console', CONSOLE: 'off' })['read']).not.toContain('/console')
})

it('a comma in the name of a folder is doubled, so that it does not end the name', () => {
  const options = toDenoPermissions(parseServiceSettings({ DATA_DIR: '/data,1' }))
  expect(options).toContain('--allow-write=/data,,1')
})
