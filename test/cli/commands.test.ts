import { localAccounts } from '@agio/localnet'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { startCommandStack, type CommandStack, type Finished } from './startCommandStack.ts'

// One stack for all tests: starting one takes longer than the commands.
let agio: CommandStack
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agio-command-'))
  agio = await startCommandStack()
  for (const account of ['2', '3']) await agio.run(['fund', '1000', 'tAUD', '--account', account])
})

afterEach(() => agio.stack.scenario('reset'))

afterAll(async () => {
  await agio?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const parse = ({ rows }: Finished) => rows.map((row) => JSON.parse(row) as Record<string, unknown>)

async function ok(...args: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const finished = await agio.run(args)
  expect(finished, finished.stderr).toMatchObject({ code: 0 })
  return parse(finished)
}

describe('commands that read', () => {
  it('each command prints one JSON object a line into a pipe', async () => {
    expect((await ok('chains')).map(({ chainId }) => chainId)).toEqual([84532, 421614])
    expect((await ok('pools', '--chain', 'arbitrumSepolia')).map(({ name }) => name)).toEqual([
      'tAUD/tUSD',
      'tEUR/tUSD',
    ])
    expect((await ok('prices')).map(({ token, stale }) => [token, stale])).toContainEqual(['tAUD', false])
    expect(await ok('preview', '100', 'tAUD', 'tUSD')).toEqual([expect.objectContaining({ amountOut: '65.087440' })])
    expect(await ok('ladder', 'taud', 'tUSD', '10', '100')).toHaveLength(2)
    const [quote] = await ok('quote', 'tAUD', '65', 'tUSD', '--exact-out', '--chain', '421614')
    expect(quote).toMatchObject({ mode: 'exact-out', amountOut: '65.000000', chainId: 421614 })
  })

  it('agio requests prints the logged requests of the key', async () => {
    expect(await agio.run(['preview', '900000000', 'tAUD', 'tUSD'])).toMatchObject({ code: 3 })
    const [logged] = await ok('requests', '--code', 'svc/above-max-origin', '--limit', '1')
    expect(logged).toMatchObject({ status: 422, nearestInput: { amountIn: expect.any(String) } })
  })

  it('agio stream prints each change as a line', async () => {
    const stream = agio.start(['stream', 'prices'])
    await expect.poll(() => stream.lines.length).toBe(1)
    expect(await agio.stack.scenario('price-move', { symbol: 'tAUD', percent: 10 })).toBe(200)
    await expect.poll(() => stream.lines.at(-1)).toContain('0.71632')
    stream.kill('SIGINT')
    expect(JSON.parse((await stream.ended).rows[0] ?? '')).toMatchObject({ topic: 'prices', chainId: 84532 })
  })
})

describe('exit codes', () => {
  it('2 for a wrong command line, with the code, the action and the request id of the service', async () => {
    expect(await agio.run(['preview', '100', 'tXXX', 'tUSD'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: "Unknown token 'tXXX': chain 84532 has tAUD, tUSD, tEUR\n",
    })
    expect(await agio.run(['preview', '0', 'tAUD', 'tUSD'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^svc\/[a-z-]+: .*\naction: fix_input\nrequest id: .+\n$/),
    })
    expect(await agio.run(['preview', '100', 'tAUD', 'tUSD', '--chain', 'mainnet'])).toMatchObject({ code: 2 })
    expect(await agio.run(['convert', '1', 'tAUD', 'tUSD', '--account', '2'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Pass --yes'),
    })
  })

  it('3 while the market refuses, and the error is one JSON object with --json', async () => {
    expect(await agio.stack.scenario('stale-price')).toBe(200)
    const { code, stderr } = await agio.run(['preview', '1', 'tAUD', 'tUSD', '--json'])
    expect(code).toBe(3)
    expect(JSON.parse(stderr)).toMatchObject({ code: 'svc/stale-price', action: 'wait', exitCode: 3 })
  })

  it('4 if the account lacks tokens', async () => {
    expect(await agio.run(['convert', '1', 'tAUD', 'tUSD', '--account', '5', '--yes'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('svc/insufficient-balance'),
    })
  })

  it('5 if the node or the service does not respond', async () => {
    const env = { AGIO_URL: 'http://127.0.0.1:1' }
    expect(await agio.run(['pools'], { env })).toMatchObject({ code: 5 })
    expect(await agio.stack.scenario('rpc-down')).toBe(200)
    const plan = ['plan', '1', 'tAUD', '--from', localAccounts[6].address]
    expect(await agio.run(plan)).toMatchObject({ code: 5, stderr: expect.stringContaining('svc/upstream-') })
  })

  it('6 above a limit', async () => {
    const headers = { 'x-api-key': 'local-standard-key' }
    const statuses = new Set<number>()
    while (!statuses.has(429)) statuses.add((await fetch(`${agio.stack.url}/api/v1/pools`, { headers })).status)
    const env = { AGIO_API_KEY: 'local-standard-key' }
    // The rate of the tier: the burst limit ends within a second.
    await expect
      .poll(async () => {
        await Promise.all(Array.from({ length: 9 }, () => fetch(`${agio.stack.url}/api/v1/pools`, { headers })))
        return await fetch(`${agio.stack.url}/api/v1/pools`, { headers }).then(({ headers: sent }) =>
          Number(sent.get('retry-after')),
        )
      })
      .toBeGreaterThan(30)
    expect(await agio.run(['pools'], { env })).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('svc/rate-limited'),
    })
  })

  it('8 for an unknown key, and for a key on the command line nothing is sent or printed', async () => {
    expect(await agio.run(['pools'], { env: { AGIO_API_KEY: 'unknown' } })).toMatchObject({ code: 8 })
    const key = localAccounts[4].privateKey
    for (const args of [
      ['convert', '1', 'tAUD', 'tUSD', '--private-key', key],
      ['pools', `--api-key=${key}`],
      ['contracts', 'deploy', '--network', 'baseSepolia', '--owner', key],
    ]) {
      const { code, stdout, stderr } = await agio.run(args)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/^A key on the command line/)
      expect(stderr).not.toContain(key.slice(4))
    }
  })
})

describe('agio convert', () => {
  it('converts with a local account and with a private key from a file, and prints the receipt', async () => {
    const [receipt] = await ok('convert', '10', 'tAUD', 'tUSD', '--account', '2', '--yes')
    expect(receipt).toMatchObject({ status: 'success', payer: localAccounts[2].address, amountIn: '10.000000' })
    const file = join(folder, 'key')
    await writeFile(file, `${localAccounts[3].privateKey}\n`)
    const sentence = ['tAUD', '5', 'tUSD', '--exact-out', '--private-key-file', file]
    const [exactOut] = await ok('convert', ...sentence, '--recipient', localAccounts[7].address, '--yes', '--json')
    expect(exactOut).toMatchObject({
      payer: localAccounts[3].address,
      recipient: localAccounts[7].address,
      amountOut: '5.000000',
    })
    await writeFile(file, 'not a key')
    expect(await agio.run(['convert', ...sentence, '--yes'])).toMatchObject({ code: 2 })
  })

  it('--unsigned prints the approval and the conversion, and sends nothing', async () => {
    const from = localAccounts[3].address
    const readNonce = async () =>
      await connectOwner({ rpcUrl: agio.stack.rpcUrls[0] ?? '' }).client.getTransactionCount({ address: from })
    const before = await readNonce()
    const calls = await ok('convert', '10', 'tAUD', 'tUSD', '--unsigned', '--from', from)
    expect(calls).toEqual([
      expect.objectContaining({ from, chainId: 84532, data: expect.stringMatching(/^0x095ea7b3/), value: '0x0' }),
      expect.objectContaining({ from, chainId: 84532, value: '0x0' }),
    ])
    expect(await readNonce()).toBe(before)
  })

  it('build, sign, broadcast, track and receipt convert step by step', async () => {
    const from = ['--from', localAccounts[2].address]
    const [quote] = await ok('quote', '3', 'tAUD', 'tUSD', ...from)
    const quoteFile = join(folder, 'quote.json')
    await writeFile(quoteFile, JSON.stringify(quote))
    const [plan] = await ok('plan', '--quote', quoteFile, '--prefer', 'approve', ...from)
    const approval = await agio.run(['sign', '--account', '2'], { input: JSON.stringify(plan) })
    expect(approval.stderr).toBe(`Signed by account 2 for stack ${agio.stack.name}\n`)
    expect(parse(await agio.run(['broadcast'], { input: approval.stdout }))).toMatchObject([{ status: 'success' }])
    const built = await agio.run(['build', '--quote', quoteFile, ...from])
    const signed = (await agio.run(['sign', '--account', '2'], { input: built.stdout })).stdout
    const [sent] = parse(await agio.run(['broadcast', '--quote', quoteFile], { input: signed }))
    expect(sent).toMatchObject({ status: 'success', convert: { amountIn: '3.000000' } })
    const hash = String(sent?.['transactionHash'])
    expect((await ok('track', hash, '--watch')).at(-1)).toMatchObject({ status: 'finalized' })
    expect(await ok('receipt', hash)).toMatchObject([{ amountIn: '3.000000', status: 'success' }])
  })

  it('a conversion that is killed before its receipt continues from its file, and converts once', async () => {
    const file = join(folder, 'killed.json')
    const line = ['convert', '7', 'tAUD', 'tUSD', '--account', '3', '--yes', '--resume', file]
    expect(await agio.stack.scenario('no-mining')).toBe(200)
    const killed = agio.start(line)
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toMatch(/"kind":"confirm"/)
    killed.kill('SIGKILL')
    expect((await killed.ended).code).toBeNull()
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const step = JSON.parse(await readFile(file, 'utf8')) as { readonly transactionHash: string }
    expect(await agio.stack.scenario('reset')).toBe(200)
    const [receipt] = await ok(...line)
    expect(receipt).toMatchObject({ transactionHash: step.transactionHash, amountIn: '7.000000' })
    // The same line again returns the same receipt, and the file of another conversion is refused.
    expect(await ok('convert', '--account', '3', '--yes', '--resume', file)).toMatchObject([
      { transactionHash: step.transactionHash },
    ])
    const other = ['convert', '8', 'tAUD', 'tUSD', '--account', '3', '--yes', '--resume', file]
    expect(await agio.run(other)).toMatchObject({ code: 2, stderr: expect.stringContaining('another conversion') })
  })

  it('9 if a conversion stops after it was sent, and agio replace speeds up only as the account that sent it', async () => {
    expect(await agio.stack.scenario('no-mining')).toBe(200)
    const file = join(folder, 'stopped.json')
    const line = ['convert', '2', 'tAUD', 'tUSD', '--account', '2', '--yes', '--resume', file]
    const stopped = agio.start(line)
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toMatch(/"kind":"confirm"/)
    stopped.kill('SIGINT')
    const { code, stderr } = await stopped.ended
    expect(code, stderr).toBe(9)
    expect(stderr).toContain(`agio convert --resume ${file}`)
    const { transactionHash } = JSON.parse(await readFile(file, 'utf8')) as { readonly transactionHash: string }
    expect(await agio.run(['replace', transactionHash, '--account', '3'])).toMatchObject({ code: 7 })
    const [replacement] = await ok('replace', transactionHash, '--account', '2')
    expect(replacement).toMatchObject({ kind: 'speed-up', replaced: transactionHash })
    expect(await agio.stack.scenario('reset')).toBe(200)
    expect(await ok(...line)).toMatchObject([{ status: 'success', amountIn: '2.000000' }])
  })
})

it('agio webhooks listen prints every event once, also of the time in which it was killed', async () => {
  const cursor = join(folder, 'cursor.json')
  // A transaction that is final when the service first observes it has only this event.
  const listen = () => agio.start(['webhooks', 'listen', '--cursor', cursor, '--event', 'transaction.finalized'])
  // Each plan has an approval, because the amounts differ.
  const approve = async (amount: string) => {
    const plan = await agio.run(['plan', amount, 'tAUD', '--prefer', 'approve', '--from', localAccounts[2].address])
    const signed = await agio.run(['sign', '--account', '2'], { input: plan.stdout })
    const [sent] = parse(await agio.run(['broadcast'], { input: signed.stdout }))
    expect(sent).toMatchObject({ status: 'success' })
    return sent?.['transactionHash']
  }
  const countDeliveries = async () => {
    const { webhookId: id } = JSON.parse(await readFile(cursor, 'utf8')) as { readonly webhookId: string }
    const call = createRestCaller({ url: agio.stack.url, apiKey: 'local-key' })
    return ((await call('webhooks.deliveries', { id })).data?.['deliveries'] as readonly unknown[]).length
  }
  const first = listen()
  await expect.poll(async () => (await stat(cursor).catch(() => ({ mode: 0 }))).mode & 0o777).toBe(0o600)
  const before = await approve('501')
  await expect.poll(() => first.lines.length).toBe(1)
  first.kill('SIGKILL')
  await first.ended
  const meanwhile = await approve('502')
  await expect.poll(countDeliveries).toBe(2)
  const second = listen()
  const deliverLater = async () => {
    // Longer than a receiver usually accepts between the time of a signature and its own time.
    await agio.run(['time', '+10', 'minutes'])
    return second.lines.length
  }
  await expect.poll(deliverLater).toBe(1)
  second.kill('SIGINT')
  expect((await second.ended).code).toBe(0)
  const events = [...first.lines, ...second.lines].map((line) => JSON.parse(line) as Event)
  expect(events.map(({ data }) => data.transactionHash)).toEqual([before, meanwhile])
  expect(events.every((event) => !('repeated' in event))).toBe(true)
})

type Event = { readonly id: string; readonly data: { readonly transactionHash: string } }

it('agio time, snapshot and scenario play act on the running stack', async () => {
  const snapshot = (await agio.run(['snapshot', 'take'])).stdout.trim()
  const readTime = async (...to: readonly string[]) => Date.parse((await agio.run(['time', ...to])).stdout.trim())
  const before = await readTime()
  expect((await readTime('+2', 'hours')) - before).toBeGreaterThanOrEqual(2 * 3_600_000)
  expect(await agio.run(['time', '2020-01-01T00:00:00Z'])).toMatchObject({ code: 2 })
  const file = join(folder, 'faults.json')
  const steps = ['stale-price', 'reset'].map((run) => ({ at: '0s', run }))
  await writeFile(file, JSON.stringify({ steps }))
  expect(await agio.run(['scenario', 'play', file])).toMatchObject({
    code: 0,
    stdout: 'stale-price\nreset\nThe last step has run\n',
  })
  expect(await agio.run(['snapshot', 'restore', snapshot])).toMatchObject({ code: 0 })
  expect(await agio.run(['snapshot', 'delete', snapshot])).toMatchObject({ code: 0 })
  expect(await agio.run(['snapshot', 'restore', snapshot])).toMatchObject({ code: 2 })
})

it('no command has printed a key', () => {
  const text = agio.printed.join('\n')
  for (const secret of [
    ...localAccounts.map(({ privateKey }) => privateKey.slice(2)),
    'local-key',
    'local-admin-key',
    'whsec_',
  ])
    expect(text).not.toContain(secret)
})
