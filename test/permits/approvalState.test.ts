import { createChain } from '@agio/chain'
import type { Address } from '@agio/core'
import { erc20Abi, getAddress, toHex } from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import { rejectOverrides } from '../harness/overrides.ts'
import { answerEachCall } from '../harness/answerEachCall.ts'
import { writeContract } from '../harness/writeContract.ts'
import { setUp } from '../harness/setUp.ts'
import { startPermitStack } from './startPermitStack.ts'

const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

const stack = setUp(startPermitStack)

describe('the approval state', () => {
  it('the state of an account has its allowances of the spender and of Permit2, its nonce and the block', async () => {
    const { chain, local, owner, createHolder } = stack
    const holder = await createHolder()
    await approve(holder.address, { token: local.tokens.tAUD, spender: local.deployment.router, amountRaw: 7n })
    await approve(holder.address, { token: local.tokens.tAUD, spender: permit2, amountRaw: 8n })
    const { number, timestamp } = await owner.client.getBlock()
    expect(await chain.approvals.readState(requestOf(holder.address))).toEqual({
      allowanceRaw: 7n,
      permit2AllowanceRaw: 8n,
      nonce: 0n,
      code: 'none',
      answersErc1271: false,
      block: { number, timestampSeconds: timestamp },
    })
  })

  it('the state of an account at a token without permits has no nonce', async () => {
    const { chain, local, owner } = stack
    const state = await chain.approvals.readState({ ...requestOf(owner.address), token: local.tokens.tUSD })
    expect(state).not.toMatchObject({ nonce: expect.anything() })
  })

  it('an allowance that the token does not return is an upstream error, never zero', async () => {
    const { chain, owner } = stack
    const token = await owner.deploy('testing/BrokenContract', [0])
    await expect(chain.approvals.readState({ ...requestOf(owner.address), token })).rejects.toMatchObject({
      code: 'svc/upstream-error',
    })
  })

  it.each(['StrictDelegate', 'LaxDelegate'])(
    'the code of an account that delegates to %s is delegated, and answers ERC-1271',
    async (contract) => {
      const { chain, owner, createHolder } = stack
      const holder = await createHolder([])
      await holder.delegate(await owner.deploy(`testing/${contract}`, []))
      const state = await chain.approvals.readState(requestOf(holder.address))
      expect(state).toMatchObject({ code: 'delegated', answersErc1271: true })
    },
  )

  it.each([
    ['checks signatures', 'OwnedAccount', true],
    ['has no such function', 'BatchAccount', false],
    ['reverts with a reason', 'BrokenContract', true],
  ])('an account with its own code that %s is a contract', async (_, contract, answersErc1271) => {
    const { chain, owner } = stack
    const argument = { OwnedAccount: [owner.address], BatchAccount: [], BrokenContract: [0] }[contract] ?? []
    const address = await owner.deploy(`testing/${contract}`, argument)
    expect(await chain.approvals.readState(requestOf(address))).toMatchObject({ code: 'contract', answersErc1271 })
  })

  it.each([
    ['uses up all gas', '0xfe'],
    ['returns nothing', '0x00'],
    ['returns more than its gas pays for', '0x620fffff6000f3'],
  ] as const)('an account whose code %s does not answer ERC-1271', async (_, bytecode) => {
    const { chain, owner } = stack
    const address = getAddress(toHex(crypto.getRandomValues(new Uint8Array(20))))
    await owner.client.setCode({ address, bytecode })
    expect(await chain.approvals.readState(requestOf(address))).toMatchObject({
      code: 'contract',
      answersErc1271: false,
    })
  })

  it('the state is read in one round trip, also over a deployed reader and a node that rejects overrides', async () => {
    const { local, owner, openThrough } = stack
    const reader = await owner.deploy('Reader', [])
    // Without code hashes, because the verification of the code is a request of its own.
    const { chain, proxy } = await openThrough(rejectOverrides(local.rpcUrl), { reader, codeHashes: undefined })
    expect(await chain.approvals.readState(requestOf(owner.address))).toMatchObject({ code: 'none', nonce: 0n })
    const requests = proxy.requests.filter(({ calls }) => calls.some(({ method }) => method === 'eth_getCode'))
    expect(requests).toHaveLength(1)
    const others = proxy.requests.filter(({ calls }) => calls.some(({ method }) => method === 'eth_call'))
    expect(others).toEqual(requests)
    expect(requests[0]?.calls.filter(({ method }) => method === 'eth_call')).toHaveLength(2)
  })

  it.each([
    ['null', { result: null }],
    ['no bytes', { result: '0xabc' }],
    ['an error', { error: { code: -32_603, message: 'internal error' } }],
  ])(
    'a node that returns %s for the code of an account is an upstream error, never an account without code',
    async (_, reply) => {
      const { local, owner, openThrough } = stack
      const { chain } = await openThrough(
        answerEachCall(local.rpcUrl, async (call, callNode) =>
          call.method === 'eth_getCode' ? { id: call.id, ...reply } : await callNode(call),
        ),
      )
      await expect(chain.approvals.readState(requestOf(owner.address))).rejects.toMatchObject({
        code: expect.stringMatching(/^svc\/upstream-/),
      })
    },
  )
})

describe('a reset', () => {
  it('the reset is found on a node that rejects state overrides', async () => {
    const { local, owner, createHolder, openThrough } = stack
    const reader = await owner.deploy('Reader', [])
    const { chain } = await openThrough(rejectOverrides(local.rpcUrl), { reader })
    const [{ address }, spender] = [await createHolder([]), local.deployment.router]
    for (const [token, expected] of [
      [local.tokens.tEUR, true],
      [local.tokens.tUSD, false],
    ] as const) {
      await approve(address, { token, spender, amountRaw: 5n })
      expect(
        await chain.approvals.needsReset({ token, owner: address, spender, amountRaw: 6n, allowanceRaw: 5n }),
      ).toBe(expected)
    }
  })

  it('a token that accepts no approval needs no reset', async () => {
    const { chain, local, owner } = stack
    const token = await owner.deploy('testing/BrokenContract', [0])
    const request = { token, owner: owner.address, spender: local.deployment.router }
    expect(await chain.approvals.needsReset({ ...request, amountRaw: 6n, allowanceRaw: 5n })).toBe(false)
  })

  it('a node that cannot be reached is an upstream error, never an answer', async () => {
    const { local, owner } = stack
    const other = createChain({ deployment: local.deployment, urls: ['http://127.0.0.1:1'] })
    onTestFinished(() => other.stop())
    const request = { token: local.tokens.tEUR, owner: owner.address, spender: local.deployment.router }
    await expect(other.approvals.needsReset({ ...request, amountRaw: 6n, allowanceRaw: 5n })).rejects.toMatchObject({
      code: 'svc/upstream-unavailable',
    })
  })
})

function requestOf(owner: Address) {
  const { tokens, deployment } = stack.local
  return { token: tokens.tAUD, owner, spender: deployment.router }
}

type Approval = { readonly token: Address; readonly spender: Address; readonly amountRaw: bigint }

async function approve(account: Address, { token, spender, amountRaw }: Approval): Promise<void> {
  await writeContract(stack.owner.client, {
    address: token,
    abi: erc20Abi,
    functionName: 'approve',
    args: [spender, amountRaw],
    account,
  })
}
