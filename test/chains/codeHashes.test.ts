import { Network } from '@agio/core'
import { keccak256, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { connectOwner } from '../harness/connectOwner.ts'
import { perChain } from '../harness/networks.ts'
import { startProxiedStack } from '../harness/startProxiedStack.ts'
import { eventually } from '../harness/timeLimits.ts'
import { validInputs } from '../harness/validInputs.ts'
import { readHealth } from '../harness/waitForBlock.ts'

const other: Hex = '0x60015f5260205ff3'

it('a chain whose node was down at the start is refused once its code is found to differ, and served once it is equal', async () => {
  await using stack = await startProxiedStack({ prepare: (_, proxies) => proxies[84532].close() })
  const chain = stack.localnet.chains[84532]
  const { client } = connectOwner(chain)
  const { router, codeHashes } = chain.deployment
  const inputs = validInputs(chain)
  const health = () => readHealth(stack.url)
  const unavailable = { status: 'unreachable', available: [], reason: 'svc/upstream-unavailable' }
  await expect.poll(health, eventually).toMatchObject({ chains: perChain<object>({ 84532: unavailable }, {}) })
  expect(stack.findRefusal()).toBeUndefined()

  const code = (await client.getCode({ address: router })) ?? '0x'
  await client.setCode({ address: router, bytecode: other })
  await stack.proxies[84532].reopen()
  const refused = { status: 'unreachable', available: [], reason: 'svc/upstream-error' }
  await expect
    .poll(health, eventually)
    .toMatchObject({ chains: perChain<object>({ 84532: refused }, { status: 'ok' }) })
  const message = `Cannot serve chain 84532: router ${router} has code ${keccak256(other)}, but the deployment file expects ${codeHashes?.[router]}`
  expect(stack.findRefusal()).toBe(message)
  for (const operation of ['convert.preview', 'pools.list', 'approval.build', 'transaction.nonce'] as const) {
    const { status, failure } = await stack.callers.REST(operation, inputs[operation])
    expect({ status, error: failure?.['error'] }, operation).toEqual({
      status: 502,
      error: `svc/upstream-error: ${message}`,
    })
  }
  for (const chainId of Network.chainIds.filter((id) => id !== 84532)) {
    const preview = validInputs(stack.localnet.chains[chainId])['convert.preview']
    expect(await stack.request('convert.preview', preview)).toEqual(['200 ok', '200 ok'])
  }

  await client.setCode({ address: router, bytecode: code })
  await expect
    .poll(() => stack.request('convert.preview', inputs['convert.preview']), eventually)
    .toEqual(['200 ok', '200 ok'])
  expect(stack.findRefusal()).toBeUndefined()
})
