import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Network } from '@agio/core'
import { expect, it } from 'vitest'
import { formatConsole, formatNetworks, formatStartError, toUrl } from './serving.ts'

it('the served networks are listed by name and id, and those without a deployment file after them', () => {
  const [served, ...others] = Network.all.map(({ chainId, name }) => `${name} (${chainId})`)
  expect(formatNetworks([84532])).toContain(`serving ${served}; no deployment file for ${others.join(', ')}`)
  expect(formatNetworks(Network.chainIds)).not.toContain('no deployment file')
})

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

it('the printed line of the console has its address, or what to do where it is not built', async () => {
  const url = 'http://127.0.0.1:3000'
  const folder = await mkdtemp(join(tmpdir(), 'agio-serving-'))
  expect(formatConsole(url, folder)).toBe('Console: not built. Run "pnpm build"')
  await writeFile(join(folder, 'index.html'), '')
  expect(formatConsole(url, folder)).toBe(`Console: ${url}/console`)
  expect(formatConsole(url, undefined)).toBeUndefined()
  await rm(folder, { recursive: true })
})
