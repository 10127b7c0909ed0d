import { poolAbi, tokenAbi } from '@agio/chain/abi'
import type { LocalChain } from '@agio/localnet'
import { encodeErrorResult, parseAbi, type Abi, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { validInputs } from '../harness/validInputs.ts'
import { placeRefuser, removeCodeHash, type Refuser } from './placeRefuser.ts'
import { signConversion } from '../harness/signConversion.ts'
import { startProxiedStack } from '../harness/startProxiedStack.ts'
import type { Proxy } from '../harness/startProxy.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { partOf } from '../harness/partOf.ts'
import { setUp } from '../harness/setUp.ts'
import { simulateFirst } from './simulateFirst.ts'

const view = 'viewOriginSwap(address,address,uint256)'
const swap = 'originSwap(address,address,uint256,uint256,uint256)'
const transports = ['REST', 'tRPC'] as const

const otherAccount = '0x00000000000000000000000000000000000000A1'
const standard = parseAbi(['error Error(string)', 'error Panic(uint256)', 'error NotOurs(uint256)'])
const unknown = encodeErrorResult({ abi: standard, errorName: 'NotOurs', args: [7n] })

/** Every kind of revert, and the failure that the service returns for it, for 1,000 tAUD to at least 650 tUSD. */
const kinds: readonly Kind[] = [
  {
    kind: 'an error of our pools with its values',
    data: encodeErrorResult({ abi: poolAbi, errorName: 'StalePrice', args: [otherAccount, 1_700_000_000n, 3600n] }),
    code: 'svc/stale-price',
    details: { oracle: otherAccount, updatedAt: '2023-11-14T22:13:20.000Z', maxAgeSeconds: 3600 },
    revert: { name: 'StalePrice', args: [otherAccount, '1700000000', '3600'] },
    message: /0{37}A1.*3600 s/,
  },
  {
    kind: 'an error of our pools in raw units',
    data: encodeErrorResult({ abi: poolAbi, errorName: 'AboveMaxOrigin', args: [1_000_000_000n, 999_999_999n] }),
    code: 'svc/above-max-origin',
    details: { amountIn: '1000.000000', maxAmountIn: '999.999999' },
    revert: { name: 'AboveMaxOrigin', args: ['1000000000', '999999999'] },
    message: /1000\.000000.*999\.999999/,
  },
  {
    kind: 'a known revert message of the pool family, by any name',
    data: encodeErrorResult({ abi: standard, errorName: 'Error', args: ['Kin/above-max-origin'] }),
    code: 'svc/above-max-origin',
    details: { amountIn: '1000.000000' },
    revert: { name: 'Error', args: ['Kin/above-max-origin'] },
    message: /1000\.000000/,
  },
  toRaw('an error of ERC-6093', 'ERC20InvalidReceiver', [otherAccount]),
  toRaw("another account's insufficient balance", 'ERC20InsufficientBalance', [otherAccount, 1n, 2n]),
  toRaw("another spender's insufficient allowance", 'ERC20InsufficientAllowance', [otherAccount, 1n, 2n]),
  toRaw('a panic', 'Panic', [18n]),
  toRaw('a message about a stale price while no price is stale', 'Error', ['Kin/stale-price']),
  toRaw('an unknown revert message', 'Error', ['insufficient funds, nonce too low']),
  { kind: 'an unknown selector', data: unknown, ...raw('Unknown', [unknown]) },
  { kind: 'no data', data: '0x', ...raw('Revert', []) },
]

type Kind = {
  readonly kind: string
  /** The revert data. */
  readonly data: Hex
  readonly code: string
  /** The details, in addition to those of every failure. */
  readonly details: object
  readonly revert: Revert
  /** A part of the message. */
  readonly message: RegExp
}

type Revert = { readonly name: string; readonly args: readonly string[] }

/** A revert without its own code. */
function toRaw(kind: string, name: string, args: readonly (string | bigint)[]): Kind {
  const abi = [...tokenAbi, ...standard] as Abi
  return { kind, data: encodeErrorResult({ abi, errorName: name, args }), ...raw(name, args.map(String)) }
}

function raw(name: string, args: readonly string[]): Omit<Kind, 'kind' | 'data'> {
  const revert = { name, args }
  return { code: 'svc/reverted', details: { revert }, revert, message: new RegExp(name) }
}

const stack = setUp(() =>
  startProxiedStack({
    prepare: async (localnet) => {
      chain = localnet.chains[84532]
      await removeCodeHash(localnet, chain, chain.pools['tAUD/tUSD'])
      pool = await placeRefuser(chain, chain.pools['tAUD/tUSD'])
      // The service compares a pool with our maths once: one whose view reverts by then is priced on chain.
      await pool.refuse(view, '0x')
      return {}
    },
  }),
)
let chain: LocalChain
let proxy: Proxy
let pool: Refuser

beforeAll(async () => {
  proxy = stack.proxies[84532]
})

describe('a pool whose view reverts', () => {
  afterAll(async () => {
    await pool.allow(view)
    await waitForBlock(stack.url, chain)
  })

  it.each(kinds)(
    'a preview explains a pool whose view reverts with $kind',
    async ({ data, code, details, message }) => {
      await pool.refuse(view, data)
      await waitForBlock(stack.url, chain)
      for (const transport of transports) {
        const answer = await stack.callers[transport]('convert.preview', validInputs(chain)['convert.preview'])
        expect(answer).toMatchObject({
          status: 422,
          failure: { code, error: expect.stringMatching(message), ...details },
        })
      }
    },
  )
})

describe.each(partOf(kinds, 3))('a pool that reverts with $kind', ({ kind, data, code, details, revert, message }) => {
  const refused = { status: 422, failure: { code, error: expect.stringMatching(message), ...details } }
  let signedTransaction: Hex

  beforeAll(async () => {
    signedTransaction = (await signConversion(chain, stack.callers.REST)).signedTransaction
    await pool.refuse(swap, data)
  })

  afterAll(async () => {
    await pool.allow(swap)
  })

  it.each(transports)(
    `build explains a pool that reverts with ${kind}, by its gas estimate (%s)`,
    async (transport) => {
      const input = validInputs(chain)['transaction.buildConvert']
      expect(await stack.callers[transport]('transaction.buildConvert', input)).toMatchObject(refused)
    },
  )

  it.each(transports)(
    `broadcast explains a pool that reverts with ${kind}, by the error of the node (%s)`,
    async (transport) => {
      proxy.setAnswer(simulateFirst(chain.rpcUrl))
      onTestFinished(proxy.reset)
      for (const [operation, rest] of broadcasts()) {
        const answer = await stack.callers[transport](operation, { signedTransaction, ...rest })
        expect(answer).toMatchObject(refused)
      }
    },
  )

  it.each(transports)(
    `broadcast and status explain a mined revert with ${kind}, by its replay (%s)`,
    async (transport) => {
      const call = stack.callers[transport]
      const failure = { code, message: expect.stringMatching(message), revert }
      for (const [operation, rest] of broadcasts()) {
        const answer = await call(operation, { signedTransaction, ...rest })
        expect(answer).toMatchObject({ status: 200, data: { status: 'failed', failure } })
        const { transactionHash } = answer.data ?? {}
        const found = await call('transaction.status', { transactionHash })
        expect(found).toMatchObject({ status: 200, data: { status: 'failed', failure } })
      }
    },
  )
})

it.each(transports)(
  'a message about a stale price has the fields of the price that is stale (%s)',
  async (transport) => {
    const { signedTransaction } = await signConversion(chain, stack.callers.REST)
    await pool.refuse(swap, encodeErrorResult({ abi: standard, errorName: 'Error', args: ['Kin/stale-price'] }))
    await stack.scenarios.run('stale-price', { symbol: 'tAUD' })
    onTestFinished(async () => {
      await pool.allow(swap)
      await stack.scenarios.reset()
    })
    const price = { oracle: chain.oracles.tAUD, maxAgeSeconds: 3600, updatedAt: expect.any(String), reason: 'age' }
    proxy.setAnswer(simulateFirst(chain.rpcUrl))
    const refused = await stack.callers[transport]('transaction.broadcast', { signedTransaction })
    proxy.reset()
    expect(refused).toMatchObject({ status: 422, failure: { code: 'svc/stale-price', ...price } })
    const sent = await stack.callers[transport]('transaction.broadcast', { signedTransaction })
    expect(sent).toMatchObject({ data: { status: 'failed', failure: { code: 'svc/stale-price' } } })
  },
)

function broadcasts() {
  const { tokenIn, tokenOut, amountIn } = validInputs(chain)['convert.preview']
  return [
    ['transaction.broadcast', {}],
    ['transaction.broadcastConvert', { tokenIn, tokenOut, amountIn, expectedAmountOut: '650.8744' }],
  ] as const
}
