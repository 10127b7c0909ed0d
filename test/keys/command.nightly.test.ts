import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, inject, it } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
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
    const { stdout } = await run(process.execPath, ['packages/cli/src/main.ts', 'keys', ...args], { cwd: root, env })
    return { code: 0, output: stdout }
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string }
    return { code, output: stderr }
  }
}

const shop = ['--name', "Ada's Shop", '--email', 'ada@shop.example', '--use-case', 'payouts', '--volume', '2,000 a day']

const listPools = async (apiKey: string) => (await createRestCaller({ url, apiKey })('pools.list', {})).status

const secretIn = (output: string) => /agio_[sp]k_[0-9A-Za-z]{57}/.exec(output)?.[0] ?? ''
const idIn = (output: string) => /key_[\w-]{12}/.exec(output)?.[0] ?? ''

/** Runs a shell block of the documentation. */
async function runPrinted(block: string): Promise<string> {
  const script = block.replaceAll('npx -y pnpm@12 --silent keys', '"$NODE" packages/cli/src/main.ts keys')
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
    expect(await line(['list'])).toMatch(
      /Ada's Shop +Shop Ltd +ada@shop\.example +payouts +2,000 a day +standard +read,build,broadcast,webhooks,usage,faucet +20\S+Z +-$/,
    )
    expect(await line(['stats'])).toMatch(/standard +20\S+Z +1 +0 +100000 +99999 +pools\.list 1$/)
    expect(await line(['stats', '--month', '2020-02'])).toMatch(/ 0 +0 +100000 +100000 +-$/)

    const rotated = await keys(['rotate', id, '--overlap-hours', '0'])
    expect([await listPools(secret), await listPools(secretIn(rotated.output))]).toEqual([403, 200])
    expect(await line(['revoke', id])).toMatch(/20\S+Z +20\S+Z$/)
    expect(await listPools(secretIn(rotated.output))).toBe(403)
    expect(await line(['stats'])).toContain('standard (revoked)')
  })

  it('pnpm keys restricts a key, shows its restrictions, changes and removes them', async () => {
    const access = ['--scopes', 'read,usage', '--expires', '2099-01-31T00:00:00Z', '--cidrs', '203.0.113.0/24']
    const issued = await keys(['issue', ...shop, ...access])
    const [secret, id] = [secretIn(issued.output), idIn(issued.output)]
    expect(await listPools(secret)).toBe(403)
    const line = async (args: readonly string[]) =>
      (await keys(args)).output.split('\n').find((text) => text.includes(id)) ?? ''
    expect(await line(['list'])).toContain('read,usage until 2099-01-31T00:00:00.000Z from 203.0.113.0/24')
    expect(await line(['update', id, '--cidrs-dry-run', 'on'])).toContain('from 203.0.113.0/24 (dry run)')
    expect(await listPools(secret)).toBe(200)
    const removed = ['--scopes', 'none', '--expires', 'none', '--cidrs', 'none', '--name', 'Other Shop']
    expect(await line(['update', id, ...removed])).toMatch(/Other Shop .* standard +all /)
  })

  it('pnpm keys issues a publishable key for the pages of an origin', async () => {
    const issued = await keys(['issue', ...shop, '--kind', 'publishable', '--origins', 'https://shop.example'])
    expect(secretIn(issued.output)).toMatch(/^agio_pk_/)
    expect((await keys(['list'])).output).toContain('read on https://shop.example')
  })

  it('pnpm keys issues a key with its own limits', async () => {
    const limits = ['--requests', '1000', '--window-seconds', '60', '--burst', '50', '--quota', '5000000']
    const issued = await keys(['issue', ...shop, '--tier', 'production', ...limits])
    expect((await keys(['list'])).output).toContain('production (1000 per 60 s, 50 per s, 5000000 per month)')
    expect(await listPools(secretIn(issued.output))).toBe(200)
  })

  it('pnpm keys lists the requests of a key, by their filters', async () => {
    const issued = await keys(['issue', ...shop])
    const id = idIn(issued.output)
    await listPools(secretIn(issued.output))
    const list = async (...filters: readonly string[]) => await keys(['requests', id, ...filters])
    const row = new RegExp(`^${id} +20\\S+Z +\\S+ +pools\\.list +200 +- +\\d+ +\\{\\} +-$`, 'm')
    expect((await list('--operation', 'pools.list', '--from', '2026-01-01T00:00:00Z')).output).toMatch(row)
    expect((await list('--status', '422')).output).not.toContain(id)
    expect(JSON.parse((await list('--json')).output)).toMatchObject({ requests: [{ keyId: id }] })
    expect(await list('--transaction', '0x12')).toMatchObject({ code: 2, output: expect.stringContaining('hash') })
    expect(await list('--code', 'svc/unheard-of')).toMatchObject({ code: 2 })
  })

  it.each([
    ['rotate-quote-secret', /^Signs from +20\d\d-\S+Z$[^]*verifies for 90 days/m],
    ['revoke-quote-secrets', /Earlier quotes are invalid/],
  ])(
    'pnpm keys %s prints the id of the new secret of quotes and what it means, never the secret',
    async (name, meaning) => {
      const { code, output } = await keys([name])
      expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(meaning) })
      expect(output).toMatch(/^Quote secret +[\w-]{12}$/m)
      expect(output).not.toMatch(/[A-Za-z0-9+/_-]{40}/)
    },
  )

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

  it('pnpm keys operator creates a secret and the line with its digest, without a service', async () => {
    const offline = { AGIO_URL: 'http://127.0.0.1:1', ADMIN_KEY: '' }
    const { code, output } = await keys(['operator', 'ada', '--roles', 'read+keys'], offline)
    expect(code).toBe(0)
    const secret = /agio_op_[\w-]{43}/.exec(output)?.[0] ?? ''
    expect(output).toContain(`ada:read+keys:${hash('sha256', secret, 'hex')}`)
    const other = await keys(['operator', 'bo'], offline)
    expect(other.output).toMatch(/ bo:read:[0-9a-f]{64}$/m)
    expect(other.output).not.toContain(secret)
  })

  it('pnpm keys erase removes the application of a key, and pnpm keys audit shows and verifies who did it', async () => {
    const id = idIn((await keys(['issue', ...shop])).output)
    const erased = await keys(['erase', id])
    expect(erased.output).not.toContain('ada@shop.example')
    expect(erased.output).toMatch(
      new RegExp(`${id} .*standard +read,build,broadcast,webhooks,usage,faucet +20\\S+Z +20\\S+Z`),
    )
    const { output } = await keys(['audit', '--target', id, '--operator', 'admin'])
    const rows = output.trim().split('\n').slice(1)
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatch(
      / admin +admin\.keys\.erase +key_\S+ +name, email, useCase, expectedVolume, revokedAt +127\.0\.0\.1 /,
    )
    expect(rows[1]).toMatch(
      / admin +admin\.keys\.create +key_\S+ +name, email, useCase, expectedVolume, tier, kind, scopes +127\.0\.0\.1 /,
    )
    const verified = await keys(['audit', '--verify'])
    expect(verified).toMatchObject({ code: 0, output: expect.stringContaining('The log is complete') })
    const [known = ''] = /\d+:[0-9a-f]{64}:0/.exec(verified.output) ?? []
    expect(await keys(['audit', '--verify', '--known', known])).toMatchObject({ code: 0 })
    const wrong = known.replace(/:.*/, `:${'0'.repeat(64)}`)
    const failed = await keys(['audit', '--verify', '--known', wrong, '--json'])
    expect(failed.code).toBe(1)
  })

  it.each([
    [[], 2, 'Usage: agio keys'],
    [['delete'], 2, "unknown command 'delete'"],
    [['issue', '--name', 'Shop'], 2, "required option '--email <address>' not specified"],
    [['issue', ...shop, '--tier', 'production'], 2, 'svc/invalid-request: Cannot read limits'],
    [['issue', ...shop, '--requests', '10'], 2, '--window-seconds is missing'],
    [['update', 'key_none', '--name', 'Shop'], 2, 'svc/not-found'],
    [['update', 'key_none', '--cidrs-dry-run', 'maybe'], 2, 'It is not on or off'],
    [['rotate'], 2, "missing required argument 'id'"],
    [['revoke', 'key_a', 'key_b'], 2, 'too many arguments'],
    [['operator', 'Ada'], 2, 'the name must have'],
    [['operator', 'ada', '--roles', 'all'], 2, 'pass --roles with one or more of read, keys, quotes, backup'],
    [['audit', '--verify', '--operator', 'ada'], 2, 'pass --verify without filters'],
    [['audit', '--known', '1:ab'], 2, 'Pass --known together with --verify'],
    [['audit', '--verify', '--known', '1:ab'], 2, 'Cannot read --known'],
    [['list', '--colour'], 2, "unknown option '--colour'"],
  ])('pnpm keys fails on the arguments %j', async (args, code, message) => {
    expect(await keys(args)).toEqual({ code, output: expect.stringContaining(message) })
  })

  it('pnpm keys fails with a wrong admin key, and without a service', async () => {
    expect(await keys(['list'], { ADMIN_KEY: '' })).toMatchObject({
      code: 8,
      output: expect.stringContaining('ADMIN_KEY'),
    })
    const wrong = await keys(['list'], { ADMIN_KEY: 'wrong' })
    expect(wrong).toMatchObject({ code: 8, output: expect.stringContaining('svc/unauthorized') })
    expect(await keys(['list'], { AGIO_URL: 'http://127.0.0.1:1' })).toMatchObject({
      code: 5,
      output: expect.stringContaining('Cannot reach http://127.0.0.1:1'),
    })
  })
})
