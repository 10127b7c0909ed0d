import { keccak256 } from 'viem'
import { expect, it } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createWallet } from '../harness/createWallet.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createDatabase } from '../harness/createDatabase.ts'
import { eventually } from '../harness/timeLimits.ts'
import { describeWith } from '../harness/findServices.ts'
import { startTcpProxy } from '../harness/startTcpProxy.ts'
import { startAgio } from '../harness/startAgio.ts'
import { startReceiver } from './startReceiver.ts'

const described = await describeWith(['PostgreSQL'], 'webhooks while the database is unavailable')

described('webhooks while the database is unavailable', () => {
  it('a broadcast that cannot be stored is refused before it is sent, and its events are delivered once it is repeated', async () => {
    await using database = await createDatabase()
    await using toDatabase = await startTcpProxy(database.url)
    await using receiver = await startReceiver()
    await using agio = await startAgio({ databaseUrl: toDatabase.url, webhookTargets: 'local', broadcastWaitMs: 200 })
    const { key } = await createAdminClient(agio.url).issue()
    const call = createRestCaller({ url: agio.url, apiKey: key })
    expect(await call('webhooks.create', { url: receiver.url })).toMatchObject({ status: 200 })
    const wallet = await createWallet(agio.localnet.chains[84532])
    const empty = { chainId: 84532, to: wallet.address, data: '0x', value: '1', gasLimit: '21000' } as const
    const signedTransaction = await wallet.sign(call, empty)
    await toDatabase.cut()
    const refused = await call('transaction.broadcast', { signedTransaction })
    expect(refused).toMatchObject({ status: 503, failure: { code: 'svc/storage-unavailable' } })
    const status = await call('transaction.status', { transactionHash: keccak256(signedTransaction) })
    expect(status).toMatchObject({ status: 404 })
    await toDatabase.restore()
    const repeat = async () => (await call('transaction.broadcast', { signedTransaction })).status
    await expect.poll(repeat, eventually).toBe(200)
    await expect.poll(() => receiver.types().length, eventually).toBeGreaterThan(0)
  })
})
