import type { Hex } from 'viem'
import { expect, inject, it } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { createHolder, fund } from '../harness/createHolder.ts'
import { requestPlan } from './requestPlan.ts'
import { requestQuoted } from './requestTerms.ts'
import { signStep } from './signStep.ts'

const [target] = inject('targets')
const { url, apiKey, chains, chainId } = target
const chain = chains[chainId]
const call = createRestCaller(target)

it('eth_signTypedData_v4 of a node takes the unchanged typed data of a plan', async () => {
  const { client } = connectOwner(chain)
  const userAddress = (await client.getAddresses()).at(-1) as Hex
  await fund(chain, userAddress, { tAUD: '10' })
  const { plan, build } = await requestQuoted(call, chain, { from: 'tAUD', to: 'tUSD', amountIn: '10' })
  const { steps } = await requestPlan(call, { ...plan, ownerAddress: userAddress })
  const signTypedData = (typedData: unknown) => {
    const params = [userAddress, typedData] as never
    return client.request<{ ReturnType: Hex }>({ method: 'eth_signTypedData_v4', params })
  }
  const permit = await signStep({ signTypedData }, steps[0])
  const built = await call('transaction.buildConvert', { ...build, userAddress, permit })
  expect(built).toMatchObject({ status: 200, data: { issues: [] } })
})

it('error: svc/invalid-request for a signature in the URL of a query over tRPC, which the response does not repeat', async () => {
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
