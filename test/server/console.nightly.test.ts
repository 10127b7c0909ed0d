import { mkdir, mkdtempDisposable, rename, symlink, writeFile } from 'node:fs/promises'
import { request as send, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, inject, it } from 'vitest'
import { setUp } from '../harness/setUp.ts'
import { adminKey, settingsFor } from '../harness/settingsFor.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { startTestServer } from '../harness/startTestServer.ts'

// A small page instead of the built one, with files next to it that the service must not serve.
const script = 'console.log("a script of the page")\n'.repeat(500)
const files = {
  'index.html':
    '<html><script id="settings" nonce="__CONSOLE_NONCE__">__CONSOLE_SETTINGS__</script><script nonce="__CONSOLE_NONCE__" src="/console/assets/main-1.js"></script></html>',
  fingerprint: 'of the build',
  'assets/main-1.js': script,
  'assets/main-1.css': 'body{}',
  'assets/icon-1.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'assets/main-1.js.map': '{}',
  '../secret.json': '{"secret":true}',
}

const pages = ['/console', '/console/', '/console?chain=1', '/console/receipt/0x12ab']

const unserved = [
  '//console',
  '/consoles',
  '/console//',
  '/console/index.html',
  '/console/favicon.ico',
  '/console/assets/',
  '/console/assets/none-1.js',
  '/console/assets/main-1.js/',
  '/console/assets/main-1.js.map',
  '/console/assets/secret.json',
  '/console/assets/up/secret.json',
  `/console/assets/${'a'.repeat(400)}.js`,
  '/console/assets/..%2f..%2fsecret.json',
  '/console/assets/%2e%2e%2fsecret.json',
  '/console/%2fetc%2fpasswd',
  '/console/assets/main-1.js%00.png',
  '/console/assets/main%2d1.js',
  '/console/%zz',
]

const localnet = setUp(() => startTestLocalnet({ onDisk: true, blockIntervalMs: 3_600_000 }))
// Apart from the folders that the services may read in any case.
const folder = setUp(() => mkdtempDisposable(join(inject('diskFolder'), 'agio-console-')))

describe.each(['Node', 'Deno'] as const)('the console of a process on %s', (runtime) => {
  const consoleDir = () => join(folder.path, runtime, 'dist')
  const server = setUp(async () => {
    await writePage(consoleDir(), files)
    await symlink('../../secret.json', join(consoleDir(), 'assets/secret.json'))
    await symlink('../..', join(consoleDir(), 'assets/up'))
    return await startServerProcess(settingsFor(localnet, { consoleDir: consoleDir() }), runtime)
  })

  const get = (path: string, options: Options = {}) => request(server.url, path, options)

  it('the process prints the address of the console before it is ready', () => {
    // A slow machine is ready before it has reached its nodes.
    const ready = expect.stringMatching(new RegExp(`^ready .*on ${server.url}$`))
    expect(server.lines.slice(-2)).toEqual([`Console: ${server.url}/console`, ready])
  })

  it.each(pages)('%s is the page, which no cache stores', async (path) => {
    const { status, headers, text } = await get(path)
    expect(status).toBe(200)
    expect(text).toContain('src="/console/assets/main-1.js"')
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
  })

  it('the page has the served networks, no key, and may call no node', async () => {
    const { headers, text } = await get('/console')
    const settings = JSON.parse(/id="settings".*?>(.*?)<\/script>/.exec(text)?.[1] ?? '') as object
    expect(Object.keys(settings)).toEqual(['version', 'networks'])
    const chainIds = Object.keys(localnet.chains).map(Number)
    expect(settings).toMatchObject({ networks: chainIds.map((chainId) => ({ chainId, blockExplorer: null })) })
    expect(headers['content-security-policy']).toContain("connect-src 'self';")
    expect(text).not.toContain(adminKey)
  })

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
    ['identity', (bytes: Buffer) => bytes],
  ])('an asset is sent with the encoding %s, and may be cached for ever', async (encoding, decode) => {
    const { status, headers, bytes } = await get('/console/assets/main-1.js', {
      headers: { 'accept-encoding': encoding },
    })
    expect(status).toBe(200)
    expect(headers['content-encoding'] ?? 'identity').toBe(encoding)
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': String(bytes.length),
      vary: expect.stringContaining('Accept-Encoding') as string,
    })
    expect(decode(bytes).toString()).toBe(script)
  })

  it('an asset that the client has is 304, and a range of it is sent whole', async () => {
    const path = '/console/assets/main-1.js'
    const { etag = '' } = (await get(path)).headers
    const known = await get(path, { headers: { 'if-none-match': etag } })
    expect([known.status, known.text, known.headers.etag]).toEqual([304, '', etag])
    const ranged = await get(path, { headers: { range: 'bytes=0-9' } })
    expect([ranged.status, ranged.text]).toEqual([200, script])
  })

  it.each(['/console', '/console/assets/main-1.js', '/console/assets/none.js'])(
    'HEAD %s has the status and the length of its GET, and no body',
    async (path) => {
      const { status, bytes } = await get(path)
      const head = await get(path, { method: 'HEAD' })
      expect([head.status, head.text]).toEqual([status, ''])
      expect(head.headers['content-length']).toBe(String(bytes.length))
    },
  )

  it.each(unserved)('error: svc/not-found for %s', async (path) => {
    const { status, headers, text } = await get(path)
    expect([status, headers['cache-control']]).toEqual([404, 'no-store'])
    expect(JSON.parse(text)).toMatchObject({ code: 'svc/not-found' })
    expect(text).not.toContain('pnpm build')
  })

  it('error: svc/invalid-request for a segment of dots', async () => {
    for (const path of ['/console/%2e%2e/secret.json', '/console/../secret.json'])
      expect(await get(path)).toMatchObject({ status: 400, text: expect.stringContaining('svc/invalid-request') })
  })

  it.each(['POST', 'PUT', 'DELETE'])('error: svc/method-not-allowed for %s', async (method) => {
    for (const path of ['/console', '/console/pools', '/console/assets/main-1.js']) {
      const { status, headers, text } = await get(path, { method })
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
      expect(JSON.parse(text)).toMatchObject({ code: 'svc/method-not-allowed' })
    }
  })

  it('a preflight names the methods of the page and of its assets', async () => {
    for (const path of ['/console', '/console/pools', '/console/assets/main-1.js']) {
      const { status, headers } = await get(path, { method: 'OPTIONS' })
      expect([status, headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS'])
    }
  })

  it('a first page load of forty visitors behind one address fits the limit, and a flood is svc/rate-limited', async () => {
    const headers = { 'x-forwarded-for': '10.77.0.1' }
    const load = async (count: number) =>
      (await Promise.all(Array.from({ length: count }, () => get('/console/assets/main-1.css', { headers })))).map(
        ({ status }) => status,
      )
    for (let visitor = 0; visitor < 40; visitor += 1) expect(new Set(await load(30))).toEqual(new Set([200]))
    const refused = await get('/console', { headers })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(JSON.parse(refused.text)).toMatchObject({ code: 'svc/rate-limited' })
    expect((await get('/docs/errors', { headers })).status, 'documents have their own limit').toBe(200)
    expect((await get('/console')).status, 'of another address').toBe(200)
  })

  it('/ leads browsers to the console, and shows the index, which names the console, to others', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    const { status, headers } = await get('/', { headers: { accept } })
    expect([status, headers['location'], headers['vary']]).toEqual([302, 'console', expect.stringMatching(/^Accept\b/)])
    const others = await get('/', { headers: { accept: 'application/json' } })
    expect([others.status, others.headers['vary']]).toEqual([200, expect.stringContaining('Accept')])
    expect(JSON.parse(others.text)).toMatchObject({ console: '/console' })
  })

  it('a page that is built anew is served at once, and the assets of the last one are svc/not-found', async () => {
    const [last, next] = [`${consoleDir()}-last`, `${consoleDir()}-next`]
    const page = files['index.html'].replace('main-1', 'main-2')
    await writePage(next, { 'index.html': page, 'assets/main-2.js': 'new' })
    expect((await get('/console/assets/main-1.js')).status).toBe(200)
    await rename(consoleDir(), last)

    const missing = await get('/console')
    expect(missing.status).toBe(404)
    expect(JSON.parse(missing.text)).toMatchObject({
      code: 'svc/not-found',
      error: 'svc/not-found: Cannot find /console: the console is not built. Run `pnpm build`',
    })
    expect(JSON.parse((await get('/')).text)).not.toHaveProperty('console')

    await rename(next, consoleDir())
    expect((await get('/console')).text).toContain('main-2.js')
    expect((await get('/console/assets/main-2.js')).text).toBe('new')
    const old = await get('/console/assets/main-1.js')
    expect([old.status, old.headers['content-type']]).toEqual([404, 'application/json'])
  })
})

it.each(['Node', 'Deno'] as const)('a process on %s prints that the console is not built', async (runtime) => {
  const settings = settingsFor(localnet, { consoleDir: join(folder.path, 'none') })
  await using server = await startServerProcess(settings, runtime)
  expect(server.lines.at(-2)).toBe('Console: not built. Run "pnpm build"')
})

it('a service without a console has none of its paths', async () => {
  await using stack = new AsyncDisposableStack()
  const server = await startTestServer(localnet)
  stack.defer(() => server.stop())
  for (const path of ['/console', '/console/pools', '/console/assets/main-1.js']) {
    for (const method of ['GET', 'POST']) {
      const { status, text } = await request(server.url, path, { method })
      expect(status).toBe(404)
      expect(JSON.parse(text)).toMatchObject({
        error: `svc/not-found: Cannot find ${path}: no operation exists at this path`,
      })
    }
  }
  expect(JSON.parse((await request(server.url, '/')).text)).not.toHaveProperty('console')
  const browser = await request(server.url, '/', { headers: { accept: 'text/html' } })
  expect([browser.status, browser.headers['location']]).toEqual([302, 'docs'])
})

async function writePage(target: string, content: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(join(target, 'assets'), { recursive: true })
  for (const [path, text] of Object.entries(content)) await writeFile(join(target, path), text)
}

type Options = { readonly method?: string; readonly headers?: Readonly<Record<string, string>> }

/** Sends a request to an unchanged path: `fetch` would resolve its dots. */
async function request(url: string, path: string, { method = 'GET', headers = {} }: Options = {}): Promise<Answer> {
  const { hostname, port } = new URL(url)
  return await new Promise((resolve, reject) => {
    const sent = send({ hostname, port, path, method, headers }, (response) => {
      const toAnswer = (bytes: Buffer) =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() })
      buffer(response).then(toAnswer, reject)
    })
    sent.on('error', reject).end()
  })
}

type Answer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
}
