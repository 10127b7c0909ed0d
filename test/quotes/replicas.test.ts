import { createHmac } from 'node:crypto'
import type { LocalChain } from '@agio/localnet'
import type { RunningServer } from '@agio/server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import type { Unsigned } from '../harness/createWallet.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createDatabase } from '../harness/createDatabase.ts'
import { describeWith } from '../harness/findServices.ts'
import { setUp } from '../harness/setUp.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { adminKey } from '../harness/settingsFor.ts'
import { eventually } from '../harness/timeLimits.ts'
import { createPayer } from '../harness/createPayer.ts'
import { requestQuote } from '../harness/executeQuote.ts'
import { startTestServer } from '../harness/startTestServer.ts'

const described = await describeWith(['PostgreSQL'], 'that replicas honour the quotes of each other')

described('quotes among replicas and keys', () => {
  const localnet = setUp(() => startTestLocalnet({ blockIntervalMs: 3_600_000 }))
  const database = setUp(createDatabase)
  let chain: LocalChain
  let servers: readonly [RunningServer, RunningServer]
  let urls: readonly [string, string]

  beforeAll(async () => {
    chain = localnet.chains[84532]
    const start = () => startTestServer(localnet, { databaseUrl: database.url })
    // Concurrently, on an empty database.
    servers = await Promise.all([start(), start()])
    urls = [servers[0].url, servers[1].url]
  })

  afterAll(() => Promise.all(servers.map((server) => server.stop())))

  const input = (amount: object = { amountIn: '2' }) => {
    const { tokens } = chain
    return { chainId: 84532, tokenIn: tokens['tAUD'], tokenOut: tokens['tEUR'], ...amount }
  }

  /** Callers with the same new key on both replicas. */
  async function issueKey() {
    const { id, key } = await createAdminClient(urls[0]).issue()
    const [first, second] = urls.map((url) => createRestCaller({ url, apiKey: key }))
    if (!first || !second) throw new Error('Cannot call the replicas: they are not running')
    return { id, key, first, second }
  }

  const payerOf = (spender: `0x${string}`) =>
    createPayer(chain, { token: chain.tokens['tAUD'], amountRaw: 10n ** 9n, spender })

  it('a quote of one replica is built and broadcast by another', async () => {
    const { first, second } = await issueKey()
    const { quote, spender, amountOut } = await requestQuote(first, input({ amountOut: '3' }))
    const payer = await payerOf(spender)
    const built = await second('transaction.buildConvert', { quote, userAddress: payer.address })
    expect(built).toMatchObject({ status: 200, data: { issues: [] } })
    const signedTransaction = await payer.sign(second, built.data as unknown as Unsigned)
    expect(await second('transaction.broadcastConvert', { quote, signedTransaction })).toMatchObject({
      data: { status: 'success', convert: { actualAmountOut: amountOut } },
    })
  })

  it('a quote is valid for the key that it was issued to after its secret has been rotated, and for no other key', async () => {
    const [owner, other] = [await issueKey(), await issueKey()]
    const { quote } = await requestQuote(owner.first, input())
    const userAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const rotated = await createAdminClient(urls[0]).rotate(owner.id)
    const renewed = createRestCaller({ url: urls[1], apiKey: rotated.key })
    expect(await renewed('transaction.buildConvert', { quote, userAddress })).toMatchObject({ status: 200 })
    const refused = { status: 403, failure: { code: 'svc/quote-not-yours', action: 'requote' } }
    expect(await other.first('transaction.buildConvert', { quote, userAddress })).toMatchObject(refused)
    const broadcast = { quote, signedTransaction: '0x02' }
    expect(await other.second('transaction.broadcastConvert', broadcast)).toMatchObject(refused)
  })

  it('a quote that a leaked secret signs for a contract of its own is refused by builds, plans and broadcasts', async () => {
    const userAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const [router, pool] = [chain.deployment.router, chain.pools['tAUD/tUSD']]
    const attacker = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
    const refused = { status: 409, failure: { code: 'svc/quote-mismatch', field: 'to' } }
    const changes = [
      { to: attacker },
      { to: attacker, pool },
      { to: router, pool },
      { to: pool },
      { to: router, pool: attacker },
    ]
    const pair = { ...input(), tokenOut: chain.tokens['tUSD'] }
    for (const change of changes) {
      // A key admits a few calls per second.
      const { first } = await issueKey()
      const { quote } = await requestQuote(first, pair)
      const forged = { quote: await forge(quote, change) }
      const named = JSON.stringify(change)
      expect(await first('transaction.buildConvert', { ...forged, userAddress }), named).toMatchObject(refused)
      expect(await first('approval.plan', { ...forged, ownerAddress: userAddress }), named).toMatchObject(refused)
      const broadcast = { ...forged, signedTransaction: '0x02' }
      expect(await first('transaction.broadcastConvert', broadcast), named).toMatchObject(refused)
      const same = { quote: await forge(quote, {}), userAddress }
      expect(await first('transaction.buildConvert', same)).toMatchObject({ status: 200 })
    }
  })

  it('after a revocation of the secrets both replicas refuse earlier quotes, and accept the new quotes of each other', async () => {
    const { first, second } = await issueKey()
    const userAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const { quote } = await requestQuote(first, input())
    const revoked = await fetch(`${urls[0]}/api/v1/admin/quotes/revoke-secrets`, {
      method: 'POST',
      headers: { 'x-admin-key': adminKey },
    })
    const { data } = (await revoked.json()) as { readonly data: { readonly id: string } }
    const refused = { status: 400, failure: { code: 'svc/quote-invalid', action: 'requote' } }
    expect(await first('transaction.buildConvert', { quote, userAddress })).toMatchObject(refused)
    await expect
      .poll(() => second('transaction.buildConvert', { quote, userAddress }), { ...eventually, interval: 500 })
      .toMatchObject(refused)
    const renewed = await requestQuote(second, input())
    expect(renewed.quote.startsWith(`${data.id}.`)).toBe(true)
    expect(await first('transaction.buildConvert', { quote: renewed.quote, userAddress })).toMatchObject({
      status: 200,
    })
  })

  /** Returns a quote with other terms, signed with the secret from the database. */
  async function forge(quote: string, changes: object): Promise<string> {
    const [id = '', payload = ''] = quote.split('.')
    const [row] = await database.query<{ secret: string }>('select secret from quote_secrets where id = $1', [id])
    const terms = { ...(JSON.parse(Buffer.from(payload, 'base64url').toString()) as object), ...changes }
    const signed = `${id}.${Buffer.from(JSON.stringify(terms)).toString('base64url')}`
    const secret = Buffer.from(row?.secret ?? '', 'base64')
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
  }

  it('a quote has expired once the newest block reaches its expiry, and an earlier broadcast is answered', async () => {
    const { first, second } = await issueKey()
    const { client } = connectOwner(chain)
    const [used, unused] = [
      await requestQuote(first, input({ amountIn: '2', validForSeconds: 600 })),
      await requestQuote(first, input({ amountIn: '3', validForSeconds: 600 })),
    ]
    const payer = await payerOf(used.spender)
    const sign = async ({ quote }: { quote: string }) => {
      const { data } = await first('transaction.buildConvert', { quote, userAddress: payer.address })
      return { quote, signedTransaction: await payer.sign(first, data as unknown as Unsigned) }
    }
    const mined = await sign(used)
    const sent = await first('transaction.broadcastConvert', mined)
    expect(sent).toMatchObject({ status: 200, data: { status: 'success' } })
    const late = await sign(unused)

    const expiry = BigInt(Date.parse(unused.expiresAt)) / 1000n
    await client.setNextBlockTimestamp({ timestamp: expiry })
    await client.mine({ blocks: 1 })
    for (const url of urls) await waitForBlock(url, chain)
    const refused = { status: 410, failure: { code: 'svc/quote-expired', expiresAt: unused.expiresAt } }
    const request = { quote: unused.quote, userAddress: payer.address }
    expect(await second('transaction.buildConvert', request)).toMatchObject(refused)
    expect(await second('transaction.broadcastConvert', late)).toMatchObject(refused)
    expect(await second('transaction.broadcastConvert', mined)).toEqual(sent)
  })
})
