import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { request } from 'undici'
import { describe, expect, inject, it } from 'vitest'
import { adminKey } from '../harness/settingsFor.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const [target] = inject('targets')
if (!target) throw new Error('Cannot run the test: no service is running')
const { url } = target

/** Runs `pnpm keys` in a child process. */
async function keys(args: readonly string[], environment: Record<string, string> = {}) {
  const env = { ...process.env, AGIO_URL: url, ADMIN_KEY: adminKey, ...environment }
  try {
    const { stdout } = await run(process.execPath, ['packages/server/src/keys.ts', ...args], { cwd: root, env })
    return { code: 0, output: stdout }
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string }
    return { code, output: stderr }
  }
}

const shop = ['--name', "Ada's Shop", '--email', 'ada@shop.example', '--use-case', 'payouts', '--volume', '2,000 a day']

async function listPools(key: string): Promise<number> {
  const { statusCode, body } = await request(`${url}/api/v1/pools`, { headers: { 'x-api-key': key } })
  await body.dump()
  return statusCode
}

const secretIn = (output: string) => /agio_[\w-]{43}/.exec(output)?.[0] ?? ''
const idIn = (output: string) => /key_[\w-]{12}/.exec(output)?.[0] ?? ''

/** Runs a shell block of the documentation. */
async function runPrinted(block: string): Promise<string> {
  const script = block.replaceAll('npx -y pnpm@12 --silent keys', '"$NODE" packages/server/src/keys.ts')
  const env = { ...process.env, NODE: process.execPath, AGIO_URL: url, ADMIN_KEY: adminKey }
  return (await run('bash', ['-euc', script], { cwd: root, env })).stdout
}

/** Reads the code blocks between the marks `keys` of a page. */
async function readBlocks(path: string): Promise<readonly string[]> {
  const page = await readFile(new URL(path, `file://${root}`), 'utf8')
  const marked = page.slice(page.indexOf('<!-- keys -->'), page.indexOf('<!-- /keys -->'))
  return Array.from(marked.matchAll(/^```\w*\n(.*?)^```/gms), ([, block = '']) => block)
}

describe('pnpm keys', () => {
  it('pnpm keys issues a key, reports its usage, rotates it and revokes it', async () => {
    const issued = await keys(['issue', ...shop, '--company', 'Shop Ltd'])
    expect(issued).toMatchObject({ code: 0, output: expect.stringContaining('shown only once') })
    const [secret, id] = [secretIn(issued.output), idIn(issued.output)]
    expect(await listPools(secret)).toBe(200)

    const line = async (args: readonly string[]) =>
      (await keys(args)).output.split('\n').find((text) => text.includes(id)) ?? ''
    expect(await line(['list'])).toMatch(/Ada's Shop +Shop Ltd +ada@shop\.example +payouts +2,000 a day +standard/)
    expect(await line(['stats'])).toMatch(/standard +20\S+Z +1 +0 +100000 +99999 +pools\.list 1$/)
    expect(await line(['stats', '--month', '2020-02'])).toMatch(/ 0 +0 +100000 +100000 +-$/)

    const rotated = await keys(['rotate', id, '--overlap-hours', '0'])
    expect([await listPools(secret), await listPools(secretIn(rotated.output))]).toEqual([403, 200])
    expect(await line(['revoke', id])).toMatch(/20\S+Z +20\S+Z$/)
    expect(await listPools(secretIn(rotated.output))).toBe(403)
    expect(await line(['stats'])).toContain('standard (revoked)')
  })

  it('pnpm keys issues a key with its own limits', async () => {
    const limits = ['--requests', '1000', '--window-seconds', '60', '--burst', '50', '--quota', '5000000']
    const issued = await keys(['issue', ...shop, '--tier', 'production', ...limits])
    expect((await keys(['list'])).output).toContain('production (1000 per 60 s, 50 per s, 5000000 per month)')
    expect(await listPools(secretIn(issued.output))).toBe(200)
  })

  it('pnpm keys rotates the secret of quotes and prints its id and when it signs, never the secret', async () => {
    const { code, output } = await keys(['rotate-quote-secret'])
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('verifies for 90 days') })
    expect(output).toMatch(/^Quote secret +[\w-]{12}$/m)
    expect(output).toMatch(/^Signs from +20\d\d-\S+Z$/m)
    expect(output).not.toMatch(/[A-Za-z0-9+/_-]{40}/)
  })

  it('the commands of docs/operate/keys.md run as printed, and print what the page shows', async () => {
    const [issue = '', shown = '', others = ''] = await readBlocks('docs/operate/keys.md')
    const issued = await runPrinted(issue)
    const id = idIn(issued)
    const withoutIds = (text: string) => text.replace(secretIn(text), '…').replace(idIn(text), '…').trim()
    expect(withoutIds(issued)).toBe(withoutIds(shown))
    const output = await runPrinted(others.replaceAll(idIn(shown), id))
    expect(output.split('\n').filter((line) => line.includes(id)).length).toBeGreaterThanOrEqual(4)
    expect(await listPools(secretIn(issued))).toBe(403)
  })

  it('pnpm keys accepts a URL with a trailing slash', async () => {
    expect(await keys(['list'], { AGIO_URL: `${url}/` })).toMatchObject({ code: 0 })
  })

  it.each([
    [[], 'the command is missing'],
    [['delete'], "unknown command 'delete'"],
    [['issue', '--name', 'Shop'], '--email is missing'],
    [['issue', ...shop, '--tier', 'production'], 'svc/invalid-request: Cannot read limits'],
    [['issue', ...shop, '--tier', 'local'], 'svc/invalid-request: Cannot read tier'],
    [['issue', ...shop, '--requests', '10'], '--window-seconds is missing'],
    [['rotate'], 'the id of a key is missing'],
    [['rotate', 'key_none'], 'svc/not-found'],
    [['revoke', 'key_a', 'key_b'], "unexpected argument 'key_b'"],
    [['rotate-quote-secret', 'key_a'], "unexpected argument 'key_a' after 'rotate-quote-secret'"],
    [['list', 'key_a'], "unexpected argument 'key_a' after 'list'"],
    [['stats', '--month', 'May'], 'svc/invalid-request: Cannot read month'],
    [['list', '--colour'], "Unknown option '--colour'"],
  ])('pnpm keys fails on the arguments %j', async (args, message) => {
    expect(await keys(args)).toEqual({ code: 1, output: expect.stringContaining(message) })
  })

  it('pnpm keys fails with a wrong admin key, and without a service', async () => {
    expect(await keys(['list'], { ADMIN_KEY: '' })).toMatchObject({
      code: 1,
      output: expect.stringContaining('ADMIN_KEY'),
    })
    const wrong = await keys(['list'], { ADMIN_KEY: 'wrong' })
    expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining('svc/unauthorized') })
    expect(await keys(['list'], { AGIO_URL: 'http://127.0.0.1:1' })).toMatchObject({
      code: 1,
      output: expect.stringContaining('no service responds at http://127.0.0.1:1'),
    })
  })
})
