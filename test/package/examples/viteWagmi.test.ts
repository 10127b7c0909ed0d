import type { Address } from '@agio/core'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createAgio } from '../../../packages/sdk/src/index.ts'
import type { Project } from '../createProject.ts'
import { run } from '../run.ts'
import { createExample } from './createExample.ts'
import { startPageServer, type PageServer } from './startPageServer.ts'

const [target] = inject('targets')
if (!target) throw new Error('Cannot run the test: no service is running')
const { apiKey, chains } = target
const chain = chains[84532]
const tokenOf = (symbol: string) => chain.tokens[symbol] as Address

describe.skipIf(!inject('isOnline'))('the example for web pages', () => {
  let project: Project
  let server: PageServer
  const runTool = (path: string, args: readonly string[] = []) =>
    run(process.execPath, [join(project.folder, 'node_modules', path), ...args], { cwd: project.folder })

  beforeAll(async () => {
    project = await createExample('vite-wagmi')
    expect(await runTool('vite/bin/vite.js', ['build'])).toMatchObject({ code: 0 })
    server = await startPageServer(project.folder)
  })

  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await project?.[Symbol.asyncDispose]()
  })

  it('compiles', async () => {
    expect(await runTool('typescript/bin/tsc')).toMatchObject({ code: 0, stdout: '' })
  })

  it('builds pages that do not contain the key', async () => {
    const files = await readdir(join(project.folder, 'dist'), { recursive: true, withFileTypes: true })
    for (const file of files.filter((entry) => entry.isFile())) {
      expect(await readFile(join(file.parentPath, file.name), 'utf8'), file.name).not.toContain(apiKey)
    }
  })

  describe('the server that holds the key', () => {
    const post = (path: string, init: RequestInit = {}) =>
      fetch(`${server.origin}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
        ...init,
      })
    const request = () =>
      ({ chainId: 84532, tokenIn: tokenOf('tAUD'), tokenOut: tokenOf('tUSD'), amountIn: '100' }) as const

    it('serves the pages, and lets them quote without a key', async () => {
      expect(await (await fetch(server.origin)).text()).toContain('<div id="root">')
      const agio = createAgio({ url: `${server.origin}/agio` })
      expect(await agio.quote(request())).toMatchObject({ amountOut: '65.087440' })
    })

    it('passes on the errors of the service', async () => {
      const agio = createAgio({ url: `${server.origin}/agio` })
      const quoting = agio.quote({ ...request(), amountIn: '900000000' })
      await expect(quoting).rejects.toMatchObject({ code: 'svc/above-max-origin' })
    })

    it.each([
      '/agio/trpc/transaction.broadcast',
      '/agio/trpc/admin.keys.list',
      '/agio/trpc/convert.quote,chains.list?batch=1',
      '/agio/trpc/convert.quote%2Cchains.list?batch=1',
      '/agio/trpc/..%2Fapi%2Fv1%2Fchains',
      '/agio/api/v1/chains',
    ])('error: 404 for %s, which a conversion does not call', async (path) => {
      expect((await post(path)).status).toBe(404)
    })

    it('error: 404 for a GET, which other sites can link to', async () => {
      expect((await fetch(`${server.origin}/agio/trpc/chains.list`)).status).toBe(404)
    })

    it('error: 403 for a form of another site, and no other site may read what it returns', async () => {
      const headers = { origin: 'https://other.example', 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' }
      expect((await post('/agio/trpc/chains.list', { headers })).status).toBe(403)
      const preflight = { method: 'OPTIONS', headers: { origin: 'https://other.example' }, body: null }
      expect((await post('/agio/trpc/chains.list', preflight)).headers.has('access-control-allow-origin')).toBe(false)
    })

    it('error: 413 for a body over 64 KiB', async () => {
      expect((await post('/agio/trpc/convert.quote', { body: 'x'.repeat(65 * 1024) })).status).toBe(413)
    })

    it('error: 429 with Retry-After above the limit of an address', async () => {
      await using limited = await startPageServer(project.folder, { REQUESTS_PER_MINUTE: '3' })
      const agio = createAgio({ url: `${limited.origin}/agio` })
      for (let count = 0; count < 3; count++) await agio.api.chains.list.query()
      await expect(agio.api.chains.list.query()).rejects.toMatchObject({
        code: 'network/unreachable',
        status: 429,
        retryAfterSeconds: 60,
      })
    })

    it('error: 502 while the service cannot be reached', async () => {
      await using lonely = await startPageServer(project.folder, { AGIO_URL: 'http://127.0.0.1:9' })
      const agio = createAgio({ url: `${lonely.origin}/agio`, maxRetries: 0 })
      await expect(agio.api.chains.list.query()).rejects.toMatchObject({ code: 'network/unreachable', status: 502 })
    })
  })
})
