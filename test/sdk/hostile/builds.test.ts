import type { Address } from '@agio/core'
import { encodeFunctionData, erc20Abi } from 'viem'
import { expect, it } from 'vitest'
import { createFundedWallet } from '../../harness/createFundedWallet.ts'
import { recordSteps } from '../recordSteps.ts'
import { changeData, type Changes, type Json } from './createTamperingFetch.ts'
import { attacker, chain, chainId, chains, createVictim } from './startVictim.ts'

const { router } = chain.deployment
const { tAUD, tEUR, tUSD } = chain.tokens
const toWord = (address: string) => address.slice(2).toLowerCase()
const drain = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [attacker, 10n ** 18n] })

type Replace = (text: string) => string

const inText = (change: Replace) => changeData((data: Json) => JSON.parse(change(JSON.stringify(data))))
const inBuild = (change: Replace): Changes => ({ 'transaction.buildConvert': inText(change) })
const inPlan = (change: Replace): Changes => ({ 'approval.plan': inText(change) })
const replace =
  (from: string | RegExp, to: string): Replace =>
  (text) =>
    text.replaceAll(from, to)

it.each<[string, string, string, Changes, boolean?]>([
  ['the contract of the conversion', 'to', 'tAUD', inBuild(replace(router, attacker))],
  ['the smallest output of the conversion', 'minAmountOut', 'tUSD', inBuild(dropMinimum)],
  ['the spender of the permit', 'spender', 'tAUD', inPlan(replace(`"spender":"${router}"`, `"spender":"${attacker}"`))],
  ['the amount of the permit', 'value', 'tAUD', inPlan(replace('"value":"10000000"', '"value":"100000000"'))],
  ['the token of the permit', 'verifyingContract', 'tAUD', inPlan(changeToken)],
  ['the spender of the approval', 'spender', 'tUSD', inPlan(replace(toWord(router), toWord(attacker)))],
  ['an approval of the batch', 'spender', 'tAUD', inBuild(replace(/0x095ea7b3[0-9a-f]+/g, drain)), true],
  ['the sender of the conversion', 'from', 'tUSD', inBuild(replace(/"from":"0x\w+"/g, `"from":"${attacker}"`))],
  ['the conversion to one without a sender', 'from', 'tUSD', inBuild(replace(/"from":"0x\w+",/g, ''))],
  ['the chain of the conversion', 'chainId', 'tUSD', inBuild(replace('"chainId":"0x14a34"', '"chainId":"0x1"'))],
  ['the chain to digits past 53 bits', 'chainId', 'tUSD', inBuild(replace('"0x14a34"', '"0x10000000000014a34"'))],
  ['the type of the conversion', 'type', 'tUSD', inBuild(replace('"type":"0x2"', '"type":"0x1"'))],
  ['the native currency of the conversion', 'value', 'tUSD', inBuild(replace('"value":"0x0"', '"value":"0x1"'))],
])(
  'error: convert/mismatch for a service that alters %s, and the wallet is not asked',
  async (...[, field, from, changes, canBatch = false]) => {
    const agio = createVictim(changes)
    const wallet = await createFundedWallet(chains, { chainId, holding: { [from]: '100' }, canBatch })
    await wallet.request({ method: 'eth_requestAccounts' })
    const tokenIn = chain.tokens[from] as Address
    const quote = await agio.quote({ chainId, tokenIn, tokenOut: tEUR, amountIn: '10' })
    const { error, steps } = await recordSteps(agio.convert({ quote, wallet }))
    expect(error).toMatchObject({ code: 'convert/mismatch', details: { field: expect.stringContaining(field) } })
    expect(steps.at(-1)).toMatchObject({ status: 'failed', error: { code: 'convert/mismatch' } })
    expect(wallet.prompts.map(({ method }) => method)).toEqual(['eth_requestAccounts'])
  },
)

function changeToken(text: string): string {
  return text.replaceAll(`"verifyingContract":"${tAUD}"`, `"verifyingContract":"${tUSD}"`)
}

/** Sets the fifth word of all calldata of conversions to zero. */
function dropMinimum(text: string): string {
  return text.replaceAll(/("data":"0x(?!095ea7b3)[0-9a-f]{8}[0-9a-f]{256})[0-9a-f]{64}/g, `$1${'0'.repeat(64)}`)
}
