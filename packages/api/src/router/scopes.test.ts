import { expect, it } from 'vitest'
import { isAdminOperation } from '../admission/createAdmit.ts'
import { listProcedures } from '../procedure/listProcedures.ts'
import { appRouter } from './appRouter.ts'

const scopes = [...listProcedures(appRouter)].map(([operation, { meta }]) => [operation, meta.scope] as const)

it('every operation has the scope that an API key needs, the older names too', () => {
  const keyed = scopes.filter(([operation]) => !isAdminOperation(operation))
  const byScope = Object.groupBy(keyed, ([, scope]) => scope ?? 'missing')
  const listed = Object.entries(byScope).map(([scope, entries]) => [scope, entries?.map(([operation]) => operation)])
  expect(Object.fromEntries(listed)).toEqual({
    read: [
      'chains.list',
      'pools.list',
      'pools.get',
      'convert.preview',
      'convert.ladder',
      'convert.quote',
      'convert.receipt',
      'swap.preview',
      'liquidity.previewDeposit',
      'liquidity.previewWithdraw',
      'oracle.prices',
      'market.hours',
      'transaction.status',
      'transaction.track',
      'transaction.nonce',
      'stream.watch',
    ],
    build: [
      'swap.build',
      'approval.plan',
      'approval.check',
      'approval.build',
      'approval.revoke',
      'transaction.buildConvert',
      'transaction.buildReplace',
    ],
    broadcast: ['swap.execute', 'transaction.broadcast', 'transaction.broadcastConvert'],
    faucet: ['faucet.info', 'faucet.tokens', 'faucet.buildClaimAll'],
    none: ['keys.self'],
    rotate: ['keys.rotate'],
    usage: ['usage.get', 'usage.requests'],
    webhooks: [
      'webhooks.create',
      'webhooks.list',
      'webhooks.delete',
      'webhooks.rotate',
      'webhooks.deliveries',
      'webhooks.replay',
      'webhooks.test',
      'webhooks.watch',
      'webhooks.watches',
    ],
  })
})

it('operations of operators have no scope, because they require the admin key', () => {
  const admin = scopes.filter(([operation]) => isAdminOperation(operation))
  expect(admin.filter(([, scope]) => scope !== undefined)).toEqual([])
  expect(admin.length).toBeGreaterThan(5)
})
