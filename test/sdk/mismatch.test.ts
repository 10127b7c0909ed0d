import type { Address } from '@agio/core'
import { encodeFunctionData, erc20Abi } from 'viem'
import { describe, expect, inject, it } from 'vitest'
import { createAgio } from '../../packages/sdk/src/index.ts'
import { createFundedWallet } from '../harness/createFundedWallet.ts'
import { recordSteps } from './recordSteps.ts'
import { pinContracts } from '../harness/pinContracts.ts'

const [target] = inject('targets')
if (!target) throw new Error('Cannot run the test: no service is running')
const { url, apiKey, chains } = target
const chainId = 84532
const chain = chains[chainId]
const attacker = '0x0000000000000000000000000000000000000bad'
const { router } = chain.deployment
const toWord = (address: string) => address.slice(2).toLowerCase()

/** The change that a proxy before the service makes to its responses. */
type Change = (body: string, path: string) => string

/** A client whose requests pass a hostile proxy. */
function createVictim(change: Change) {
  const agio = createAgio({
    url,
    apiKey,
    contracts: pinContracts(chains),
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      return new Response(
        change(await response.text(), input instanceof Request ? input.url : input.toString()),
        response,
      )
    },
  })
  return agio
}

const inOperation =
  (operation: string, change: (body: string) => string): Change =>
  (body, path) =>
    path.endsWith(operation) ? change(body) : body

const drain = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [attacker, 10n ** 18n] })

const attacks: readonly [string, string, { from: string; canBatch?: boolean }, Change][] = [
  [
    'the contract of the conversion',
    'to',
    { from: 'tAUD' },
    inOperation('transaction.buildConvert', (body) => body.replaceAll(router, attacker)),
  ],
  [
    'the smallest output of the conversion',
    'minAmountOut',
    { from: 'tUSD' },
    inOperation('transaction.buildConvert', (body) => zeroWord(body, 4)),
  ],
  [
    'the spender of the permit',
    'spender',
    { from: 'tAUD' },
    inOperation('approval.plan', (body) => body.replaceAll(`"spender":"${router}"`, `"spender":"${attacker}"`)),
  ],
  [
    'the amount of the permit',
    'value',
    { from: 'tAUD' },
    inOperation('approval.plan', (body) => body.replaceAll('"value":"10000000"', '"value":"100000000"')),
  ],
  [
    'the token of the permit',
    'verifyingContract',
    { from: 'tAUD' },
    inOperation('approval.plan', (body) =>
      body.replaceAll(`"verifyingContract":"${chain.tokens.tAUD}"`, `"verifyingContract":"${chain.tokens.tUSD}"`),
    ),
  ],
  [
    'the spender of the approval',
    'spender',
    { from: 'tUSD' },
    inOperation('approval.plan', (body) => body.replaceAll(toWord(router), toWord(attacker))),
  ],
  [
    'an approval of the batch',
    'spender',
    { from: 'tAUD', canBatch: true },
    inOperation('transaction.buildConvert', (body) => body.replaceAll(/0x095ea7b3[0-9a-f]+/g, drain)),
  ],
  [
    'the native currency of the conversion',
    'value',
    { from: 'tUSD' },
    inOperation('transaction.buildConvert', (body) => body.replaceAll('"value":"0x0"', '"value":"0xde0b6b3a7640000"')),
  ],
]

describe('a hostile proxy before the service', () => {
  it.each(attacks)(
    'error: convert/mismatch when it alters %s, and the wallet is not asked',
    async (...[, field, way, change]) => {
      const agio = createVictim(change)
      const wallet = await createFundedWallet(chains, {
        chainId,
        holding: { [way.from]: '100' },
        canBatch: way.canBatch ?? false,
      })
      await wallet.request({ method: 'eth_requestAccounts' })
      const quote = await agio.quote({
        chainId,
        tokenIn: chain.tokens[way.from] as Address,
        tokenOut: chain.tokens.tEUR,
        amountIn: '10',
      })
      const { error, steps } = await recordSteps(agio.convert({ quote, wallet }))
      expect(error).toMatchObject({ code: 'convert/mismatch', details: { field: expect.stringContaining(field) } })
      expect(steps.at(-1)).toMatchObject({ status: 'failed', error: { code: 'convert/mismatch' } })
      expect(wallet.prompts.map(({ method }) => method)).toEqual(['eth_requestAccounts'])
    },
  )
})

/** Sets a word of all calldata of conversions to zero, counted from 0. */
function zeroWord(body: string, index: number): string {
  return body.replaceAll(/"data":"(0x(?!095ea7b3)[0-9a-f]{8})([0-9a-f]+)"/g, (_, selector: string, words: string) => {
    const start = index * 64
    return `"data":"${selector}${words.slice(0, start)}${'0'.repeat(64)}${words.slice(start + 64)}"`
  })
}
