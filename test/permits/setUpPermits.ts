import { permitRouterAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, expect } from 'vitest'
import { writeContract } from '../harness/writeContract.ts'
import { amountRaw, deadlineSeconds, startPermitStack, type Holder, type PermitStack } from './startPermitStack.ts'

type Permit = Extract<Parameters<PermitStack['chain']['permits']['verify']>[0]['permit'], { kind: 'permit' }>

type Terms = { readonly valueRaw?: bigint; readonly nonce?: bigint; readonly deadlineSeconds?: bigint }

/** Returns the error of a refused permit. */
export function refusal(reason: string) {
  return { code: 'svc/invalid-permit', details: { reason } }
}

/** Starts a stack with permits before the tests of a file, and stops it afterwards. */
export function setUpPermits() {
  let stack: PermitStack
  let bytesToken: Address

  beforeAll(async () => {
    stack = await startPermitStack()
    const { owner, chain } = stack
    bytesToken = await owner.deploy('testing/BytesPermitToken', ['USD Coin', 'USDC', 6, owner.address])
    await chain.permits.getTokenPermits(bytesToken)
  })

  afterAll(async () => {
    await stack?.[Symbol.asyncDispose]()
  })

  /** The terms of a permit of the amount, with the current nonce. */
  async function termsOf(holder: Pick<Holder, 'address'>, terms: Terms, token = stack.local.tokens.tAUD) {
    const { domain } = await stack.chain.permits.getTokenPermits(token)
    if (!domain) throw new Error(`${token} has no permits`)
    const spender = stack.local.deployment.router
    const { nonce = 0n } = await stack.chain.approvals.readState({ token, owner: holder.address, spender })
    return { domain, owner: holder.address, valueRaw: amountRaw, nonce, deadlineSeconds, ...terms }
  }

  async function sign(holder: Holder, terms: Terms, token?: Address): Promise<Permit> {
    const all = await termsOf(holder, terms, token)
    const signature = await holder.sign(stack.chain.permits.toTypedData(all))
    return { kind: 'permit', amountRaw: all.valueRaw, deadlineSeconds: all.deadlineSeconds, signature }
  }

  /** The request of an account with its key's signature, which delegates to a contract. */
  async function signAsDelegate(contract: string, token: Address) {
    const { owner, toSwap, createHolder } = stack
    const holder = await createHolder([token])
    await holder.delegate(await owner.deploy(`testing/${contract}`, []))
    const permit = await sign(holder, {}, token)
    return { owner: holder.address, swap: toSwap(holder.address, { tokenIn: token }), permit }
  }

  /** The call of the router that the permit pays. */
  function toRouterCall({ address }: Holder, permit: Permit) {
    const { deployment, tokens } = stack.local
    const swap = {
      quote: deployment.referenceToken,
      origin: tokens.tAUD,
      target: tokens.tUSD,
      originAmount: amountRaw,
      minTargetAmount: 1n,
      recipient: address,
      deadline: deadlineSeconds,
    }
    const signed = { amount: permit.amountRaw, deadline: permit.deadlineSeconds, signature: permit.signature }
    return {
      address: deployment.router,
      abi: permitRouterAbi,
      functionName: 'originSwapWithPermit',
      args: [swap, signed],
      account: address,
    } as const
  }

  /** Expects that a permit passes, and that the conversion that it pays would succeed. */
  async function expectAccepted(holder: Holder, permit: Permit): Promise<void> {
    await stack.chain.permits.verify({ owner: holder.address, swap: stack.toSwap(holder.address), permit })
    await callRouter(holder, permit)
  }

  /** Expects that a permit is refused, and that the conversion that it pays would revert. */
  async function expectRefused(
    holder: Holder,
    { permit, reason }: { readonly permit: Permit; readonly reason: string },
  ): Promise<void> {
    const request = { owner: holder.address, swap: stack.toSwap(holder.address), permit }
    await expect(stack.chain.permits.verify(request)).rejects.toMatchObject(refusal(reason))
    await expect(callRouter(holder, permit)).rejects.toThrow('revert')
  }

  async function callRouter(holder: Holder, permit: Permit): Promise<void> {
    const { address: to, account, ...call } = toRouterCall(holder, permit)
    await stack.owner.client.call({ account, to, data: encodeFunctionData(call) })
  }

  async function balanceOf(account: Address): Promise<bigint> {
    const address = stack.local.tokens.tAUD
    return await stack.owner.client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [account] })
  }

  async function allowanceOf(account: Address): Promise<bigint> {
    const { tokens, deployment } = stack.local
    const args = [account, deployment.router] as const
    return await stack.owner.client.readContract({
      address: tokens.tAUD,
      abi: erc20Abi,
      functionName: 'allowance',
      args,
    })
  }

  async function approveRouter(account: Address, amount: bigint, address = stack.local.tokens.tAUD): Promise<void> {
    const args = [stack.local.deployment.router, amount] as const
    await writeContract(stack.owner.client, { address, abi: erc20Abi, functionName: 'approve', args, account })
  }

  return {
    get stack() {
      return stack
    },
    get bytesToken() {
      return bytesToken
    },
    sign,
    expectAccepted,
    balanceOf,
    toRouterCall,
    allowanceOf,
    termsOf,
    expectRefused,
    approveRouter,
    signAsDelegate,
  }
}
