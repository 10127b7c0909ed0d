import { permit2Address } from '@agio/chain'
import { maxUint256, parseUnits } from 'viem'
import { describe, expect, it } from 'vitest'
import { encodeApproval } from '../../packages/chain/src/call/encodeApproval.ts'
import { checkApproval, checkCalls, checkTransaction } from '../../packages/sdk/src/checks/checkTransaction.ts'
import { checkQuote } from '../../packages/sdk/src/checks/checkQuote.ts'
import { checkTypedData } from '../../packages/sdk/src/checks/checkTypedData.ts'
import { getMaxAmountInRaw } from '../../packages/sdk/src/checks/ExpectedConversion.ts'
import { createAgio, type AgioQuoteData, type QuoteRequest } from '../../packages/sdk/src/index.ts'
import { createHolder } from '../harness/createHolder.ts'
import { chain, chainId, service } from './sharedService.ts'

const recipient = '0x00000000000000000000000000000000000a610d'

// The tokens with their own permit, and the token that Permit2 pays.
const kinds = { tAUD: 'permit', tEUR: 'permit', tUSD: 'permit2' } as const

const conversions = [
  ['tAUD', 'tUSD'],
  ['tUSD', 'tEUR'],
  ['tAUD', 'tEUR'],
] as const

const requests = conversions.flatMap(([from, to]) =>
  [{ amountIn: '25.50' }, { amountOut: '20' }].flatMap((amount) => [
    { from, to, ...amount },
    { from, to, ...amount, recipient },
  ]),
)

describe('the checks of the SDK', () => {
  const { api } = createAgio(service)

  async function quote(request: QuoteRequest): Promise<AgioQuoteData> {
    const quoted = { ...(await api.convert.quote.query(request)), chainId, request } as AgioQuoteData
    checkQuote(quoted)
    return quoted
  }

  it.each(requests)('what the service builds for %j is accepted', async ({ from, to, ...amounts }) => {
    const wallet = await createHolder(chain, { [from]: '1000' })
    const { address: account } = wallet
    const tokens = { tokenIn: chain.tokens[from], tokenOut: chain.tokens[to] }
    const quoted = await quote({ chainId, ...tokens, ...amounts } as QuoteRequest)
    const build = { quote: quoted.quote, userAddress: account }

    const unpaid = await api.transaction.buildConvert.query(build)
    checkTransaction({ quote: quoted, account }, unpaid.transaction)
    checkTransaction({ quote: quoted, account }, unpaid)
    checkCalls({ quote: quoted, account }, unpaid.calls ?? [])
    expect(unpaid.calls).toHaveLength(2)

    const capRaw = getMaxAmountInRaw(quoted)
    expect(capRaw).toBe(parseUnits(quoted.maxAmountIn ?? quoted.amountIn, quoted.tokenIn.decimals))
    const approval = { token: quoted.tokenIn.address, spender: quoted.spender, amountRaw: capRaw, account, chainId }
    const plan = await api.approval.plan.query({ quote: quoted.quote, ownerAddress: account, prefer: 'approve' })
    for (const step of plan.steps) {
      if (step.kind !== 'approve') throw new Error(`Cannot check a step of kind ${step.kind}`)
      checkApproval(approval, step.walletTransaction)
    }
    expect(plan.steps).toHaveLength(1)

    await wallet.send({ to: quoted.tokenIn.address, data: encodeApproval(permit2Address, maxUint256) })
    const [step] = (await api.approval.plan.query({ quote: quoted.quote, ownerAddress: account })).steps
    if (step?.kind !== kinds[from]) throw new Error(`Cannot sign a step of kind ${step?.kind}`)
    checkTypedData({ quote: quoted, account, chainId, kind: step.kind, terms: step.permit }, step.typedData)
    const signature = await wallet.signTypedData(step.typedData as never)
    const permit = { ...step.permit, signature }
    const paid = await api.transaction.buildConvert.query({ ...build, permit })
    checkTransaction({ quote: quoted, account, permit }, paid.transaction)
  })
})
