import { describe, expect, it } from 'vitest'
import { findOperation } from '../harness/openApi.ts'
import { suite } from './suite.ts'
import { validInputs } from '../harness/validInputs.ts'

const addressFields = [
  'poolAddress',
  'tokenIn',
  'tokenOut',
  'tokenAddress',
  'ownerAddress',
  'spenderAddress',
  'userAddress',
  'recipient',
  'address',
]
/** Amount fields, with the fractional digits that each may have. */
const amountFields = { amountIn: 6, minAmountOut: 6, requiredAmount: 6, amount: 6, value: 18, lpAmount: 18 }
const hex40 = 'a'.repeat(40)

const badAddresses = ['0x12', hex40, `0x${'g'.repeat(40)}`, `0x${hex40}a`, `0X${hex40}`, ` 0x${hex40}`, `0x${hex40}\n`]
const badAmounts = ['-1', '+1', '0', '0.000', '1e3', '٣', '.5', '5.', '', ' 1', '0x10', '9'.repeat(81), `${2n ** 256n}`]
const wrongTypes = [42, true, null, [], {}]

suite('status 400', ({ call, chain, transport }) => {
  for (const [operation, input] of Object.entries(validInputs(chain))) {
    const isUrl = findOperation(operation).method === 'GET'
    // Over REST everything in a URL is text: other types exist only in bodies and over tRPC.
    const types = isUrl && transport === 'REST' ? [] : wrongTypes

    describe(operation, () => {
      const refuse = async (field: string, value: unknown, code: string) => {
        const outcome = await call(operation, { ...input, [field]: value })
        expect(outcome, `${field} ${JSON.stringify(value)}`).toMatchObject({ status: 400, failure: { code, field } })
      }
      const fieldsOf = (candidates: readonly string[]) => candidates.filter((field) => field in input)

      it.each(fieldsOf(addressFields))(`${operation} rejects %s if it is not an address`, async (field) => {
        for (const value of badAddresses) await refuse(field, value, 'svc/invalid-address')
        for (const value of types) await refuse(field, value, 'svc/invalid-request')
      })

      const amounts = Object.entries(amountFields).filter(([field]) => field in input)
      it.each(amounts)(
        `${operation} rejects %s if it is not a plain decimal of at most %i fractional digits`,
        async (field, digits) => {
          const tooFine = `1.${'1'.padStart(digits + 1, '0')}`
          for (const value of [...badAmounts, tooFine, ...types]) await refuse(field, value, 'svc/invalid-request')
        },
      )

      const chainIds = Object.keys(input).filter((field) => field === 'chainId')
      it.each(chainIds)(`${operation} rejects a %s that is not supported`, async () => {
        await refuse('chainId', 1, 'svc/unsupported-chain')
        await refuse('chainId', 'mainnet', 'svc/invalid-request')
        if (!isUrl) await refuse('chainId', '84532', 'svc/invalid-request')
        if (!isUrl) await refuse('chainId', 84532.5, 'svc/unsupported-chain')
        for (const value of types.filter((type) => typeof type !== 'number'))
          await refuse('chainId', value, 'svc/invalid-request')
      })

      it(`${operation} names an unknown field in its error`, async () => {
        await refuse('amountln', '1', 'svc/invalid-request')
      })

      const required = Object.keys(input).filter(
        (field) => !['chainId', 'page', 'limit', 'isUnlimited', 'unlimited'].includes(field),
      )
      const inBody = required.filter((field) => !findOperation(operation).path.includes(`{${field}}`))
      const optional = new Set([
        'approval.plan/spenderAddress',
        'convert.preview/poolAddress',
        'convert.quote/poolAddress',
        'convert.quote/userAddress',
        'convert.quote/recipient',
        'convert.ladder/poolAddress',
        'swap.preview/poolAddress',
        'faucet.info/userAddress',
        'usage.get/month',
        'usage.requests/from',
      ])
      it.each(inBody.filter((field) => !optional.has(`${operation}/${field}`)))(
        `${operation} requires %s`,
        async (field) => {
          await refuse(field, undefined, 'svc/invalid-request')
        },
      )
    })
  }
})

suite('status 400 for one operation', ({ call, chain }) => {
  const inputs = validInputs(chain)

  it.each([
    ['limit', 0],
    ['limit', -1],
    ['limit', 1.5],
    ['limit', 101],
    ['page', 0],
  ])('pools.list rejects the %s %d', async (field, value) => {
    expect(await call('pools.list', { [field]: value })).toMatchObject({ status: 400, failure: { field } })
  })

  it.each([
    ['approval.plan', 'unlimited'],
    ['approval.build', 'isUnlimited'],
  ] as const)('%s rejects a %s that is not a boolean', async (operation, field) => {
    for (const value of ['true', 1, 0, null]) {
      const outcome = await call(operation, { ...inputs[operation], [field]: value })
      expect(outcome).toMatchObject({ status: 400, failure: { code: 'svc/invalid-request', field } })
    }
  })

  it.each(['1800000000', 1.5, -1, 0, null, 1_800_000_000_000])(
    'transaction.buildConvert rejects the deadline %j',
    async (deadline) => {
      const outcome = await call('transaction.buildConvert', { ...inputs['transaction.buildConvert'], deadline })
      expect(outcome).toMatchObject({ status: 400, failure: { code: 'svc/invalid-request', field: 'deadline' } })
    },
  )

  it.each(['convert.preview', 'transaction.buildConvert'] as const)(
    '%s rejects the same token twice',
    async (operation) => {
      const { poolAddress: _, ...input } = { poolAddress: undefined, ...inputs[operation] }
      const outcome = await call(operation, { ...input, tokenOut: input.tokenIn })
      expect(outcome).toMatchObject({ status: 400, failure: { code: 'svc/invalid-request', field: 'tokenOut' } })
    },
  )

  it('convert.preview rejects a pool that does not hold the token', async () => {
    const outcome = await call('convert.preview', { ...inputs['convert.preview'], tokenIn: chain.tokens['tEUR'] })
    expect(outcome).toMatchObject({ status: 400, failure: { code: 'svc/unsupported-token', field: 'tokenIn' } })
  })

  it.each([
    ['convert.preview', 'tokenOut'],
    ['transaction.buildConvert', 'tokenIn'],
    ['approval.plan', 'tokenAddress'],
    ['approval.check', 'tokenAddress'],
    ['approval.build', 'tokenAddress'],
    ['approval.revoke', 'tokenAddress'],
  ] as const)('%s rejects a %s that no pool holds', async (operation, field) => {
    const outcome = await call(operation, { ...inputs[operation], [field]: chain.deployment.router })
    expect(outcome).toMatchObject({ status: 400, failure: { code: 'svc/unsupported-token', field } })
  })

  it.each(['0x', '0x1', '12', `0x${'1'.repeat(63)}`, 12, null])(
    'the operations of transactions reject the hash %j',
    async (transactionHash) => {
      const refused = { status: 400, failure: { code: 'svc/invalid-request', field: 'transactionHash' } }
      for (const operation of ['transaction.status', 'transaction.track']) {
        expect(await call(operation, { transactionHash }), operation).toMatchObject(refused)
      }
      const replaced = await call('transaction.buildReplace', { transactionHash, kind: 'cancel' })
      expect(replaced).toMatchObject(refused)
    },
  )

  it('the zero address is rejected as a wallet', async () => {
    const zero = `0x${'0'.repeat(40)}`
    for (const [operation, field] of [
      ['approval.build', 'spenderAddress'],
      ['approval.revoke', 'spenderAddress'],
      ['approval.plan', 'ownerAddress'],
      ['approval.plan', 'spenderAddress'],
      ['approval.check', 'ownerAddress'],
      ['transaction.buildConvert', 'userAddress'],
      ['faucet.buildClaimAll', 'userAddress'],
    ] as const) {
      const outcome = await call(operation, { ...inputs[operation], [field]: zero })
      expect(outcome, operation).toMatchObject({ status: 400, failure: { code: 'svc/invalid-address', field } })
    }
  })

  it('a contract of the network is rejected as a wallet', async () => {
    for (const userAddress of [chain.deployment.router, chain.pools['tAUD/tUSD'], chain.tokens['tAUD']]) {
      const outcome = await call('transaction.buildConvert', { ...inputs['transaction.buildConvert'], userAddress })
      expect(outcome).toMatchObject({ status: 400, failure: { code: 'svc/invalid-address', field: 'userAddress' } })
    }
  })
})

suite('statuses 404 and 422', ({ call, chain, chainId }) => {
  const inputs = validInputs(chain)

  it('error: svc/pool-not-found for a pool outside the deployment', async () => {
    const operations = [
      'pools.get',
      'convert.preview',
      'convert.ladder',
      'liquidity.previewDeposit',
      'liquidity.previewWithdraw',
    ] as const
    for (const operation of operations) {
      for (const poolAddress of [chain.deployment.router, chain.tokens['tAUD']]) {
        const outcome = await call(operation, { ...inputs[operation], poolAddress })
        const failure = { code: 'svc/pool-not-found', field: 'poolAddress', value: poolAddress }
        expect(outcome).toMatchObject({ status: 404, failure })
      }
    }
  })

  it('error: svc/transaction-not-found for an unknown hash', async () => {
    for (const operation of ['transaction.status', 'transaction.track', 'convert.receipt']) {
      const outcome = await call(operation, { chainId, transactionHash: `0x${'12'.repeat(32)}` })
      const error = expect.stringContaining(operation === 'convert.receipt' ? 'a moment' : 'no node knows it')
      const failure = { code: 'svc/transaction-not-found', retryable: true, error }
      expect(outcome, operation).toMatchObject({ status: 404, failure })
    }
  })
})
