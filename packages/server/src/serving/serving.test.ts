import { expect, it } from 'vitest'
import { formatStartError, toUrl } from './serving.ts'

it('the printed URL of a service has an IPv6 address in brackets', () => {
  expect(toUrl({ host: '::1', port: 3000 })).toBe('http://[::1]:3000')
  expect(toUrl({ host: '127.0.0.1', port: 3000 })).toBe('http://127.0.0.1:3000')
})

it.each([
  Object.assign(new Error('listen'), { code: 'EADDRINUSE' }),
  Object.assign(new Error('listen'), { name: 'AddrInUse' }),
])('error: a port that is taken is named with its setting', (error) => {
  expect(formatStartError(error, { variable: 'METRICS_PORT', port: 9090 })).toBe(
    'Cannot serve on port 9090: the port is taken. Set METRICS_PORT to another port',
  )
})
