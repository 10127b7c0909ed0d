import { Network } from '@agio/core'
import type { Hex } from 'viem'
import { expect, inject, it } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { createHolder, fund } from '../harness/createHolder.ts'
import { requestPlan } from './requestPlan.ts'
import { requestQuoted } from './requestTerms.ts'
import { signStep } from './signStep.ts'

const [target] = inject('targets')
if (!target) throw new Error('Cannot run the test: no service is running')
const { url, apiKey, chains } = target
const call = createRestCaller(target)

it.each(Network.chainIds)(
  'eth_signTypedData_v4 of a node takes the unchanged typed data of a plan, on chain %i',
  async (chainId) => {
    const chain = chains[chainId]
    const { client } = connectOwner(chain)
    const userAddress = (await client.getAddresses()).at(-1) as Hex
    await fund(chain, userAddress, { tAUD: '10' })
    const { plan, build } = await requestQuoted(call, chain, { from: 'tAUD', to: 'tUSD', amountIn: '10' })
    const { steps } = await requestPlan(call, { ...plan, ownerAddress: userAddress })
    const permit = await signStep(
      {
        signTypedData: (typedData) =>
          client.request<{ ReturnType: Hex }>({
            method: 'eth_signTypedData_v4',
            params: [userAddress, typedData] as never,
          }),
      },
      steps[0],
    )
    const built = await call('transaction.buildConvert', { ...build, userAddress, permit })
    expect(built).toMatchObject({ status: 200, data: { issues: [] } })
  },
)

it('error: svc/invalid-request for a signature in the URL of a query over tRPC, which the response does not repeat', async () => {
  const chain = chains[84532]
  const wallet = await createHolder(chain, { tAUD: '10' })
  const { plan, build } = await requestQuoted(call, chain, { from: 'tAUD', to: 'tUSD', amountIn: '10' })
  const { steps } = await requestPlan(call, { ...plan, ownerAddress: wallet.address })
  const permit = await signStep(wallet, steps[0])
  const input = encodeURIComponent(JSON.stringify({ ...build, userAddress: wallet.address, permit }))
  const response = await fetch(`${url}/trpc/transaction.buildConvert?input=${input}`, {
    headers: { 'x-api-key': apiKey },
  })
  const text = await response.text()
  expect([response.status, text]).toEqual([400, expect.stringContaining('svc/invalid-request')])
  expect(text).not.toContain(permit.signature.slice(2, 40))
})
