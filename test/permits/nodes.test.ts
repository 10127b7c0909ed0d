import type { Chain } from '@agio/chain'
import { describe, expect, it } from 'vitest'
import { rejectOverrides } from '../harness/overrides.ts'
import { answerEachCall, type NodeCall } from '../harness/answerEachCall.ts'
import type { Answer } from '../harness/startProxy.ts'
import { setUp } from '../harness/setUp.ts'
import { amountRaw, deadlineSeconds, startPermitStack } from './startPermitStack.ts'

const stack = setUp(startPermitStack)

const refusals = {
  geth: { code: -32_000, message: 'sender not an eoa: address 0x5fbdb2315678afecb367f032d93f642f64180aa3' },
  Nethermind: { code: -32_015, message: 'sender has deployed code' },
}

describe('a node that refuses calls from contracts', () => {
  it.each(Object.keys(refusals) as (keyof typeof refusals)[])(
    'signatures are verified on a node that refuses calls from contracts in the words of %s',
    async (node) => {
      const { chain } = await stack.openThrough(refuseContracts(refusals[node]))
      await expectVerified(chain)
    },
  )

  it('a node that refuses calls from contracts and state overrides is an upstream error, never a refusal of the signature', async () => {
    const reader = await stack.owner.deploy('Reader', [])
    const { chain } = await stack.openThrough(refuseContracts(refusals.Nethermind, { rejectsOverrides: true }), {
      reader,
    })
    for (const request of await listRequests(chain)) {
      await expect(chain.permits.verify(request)).rejects.toMatchObject({ code: 'svc/upstream-error' })
    }
  })
})

describe('a node without state overrides', () => {
  it('permits are found and signatures verified over a deployed reader and a node that rejects state overrides', async () => {
    const { local, owner, openThrough } = stack
    const { chain } = await openThrough(rejectOverrides(local.rpcUrl), { reader: await owner.deploy('Reader', []) })
    expect(await chain.permits.getTokenPermits(local.tokens.tUSD)).toEqual({ domain: undefined })
    await expectVerified(chain)
  })
})

describe('a node that fails', () => {
  it.each(['eth_call', 'eth_getCode'])(
    'a node whose %s fails is an upstream error, never a refusal of the signature',
    async (method) => {
      const { local, openThrough } = stack
      const { chain, proxy } = await openThrough()
      const [permit] = await listRequests(chain)
      const error = { code: -32_603, message: 'internal error' }
      proxy.setAnswer(
        answerEachCall(local.rpcUrl, async (call, callNode) =>
          call.method === method ? { id: call.id, error } : await callNode(call),
        ),
      )
      const request = { ...permit, permit: { ...permit.permit, signature: '0x' } } as const
      await expect(chain.permits.verify(request)).rejects.toMatchObject({ code: 'svc/upstream-error' })
    },
  )
})

/** Expects that good signatures of both kinds pass, and empty ones are refused. */
async function expectVerified(chain: Chain): Promise<void> {
  for (const request of await listRequests(chain)) {
    await chain.permits.verify(request)
    const unsigned = { ...request, permit: { ...request.permit, signature: '0x' } } as const
    await expect(chain.permits.verify(unsigned)).rejects.toMatchObject({
      code: 'svc/invalid-permit',
      details: { reason: 'signer' },
    })
  }
}

/** A permit and a signature for Permit2, both good. */
async function listRequests(chain: Chain) {
  const [holder, token] = [await stack.createHolder(), stack.local.tokens.tAUD]
  const [owner, swap] = [holder.address, stack.toSwap(holder.address)]
  const { domain } = await stack.chain.permits.getTokenPermits(token)
  const terms = { domain: domain ?? {}, owner, valueRaw: amountRaw, nonce: 0n, deadlineSeconds }
  const signature = await holder.sign(chain.permits.toTypedData(terms))
  const quoteDigest = `0x${'a6'.repeat(32)}` as const
  const forPermit2 = await holder.sign(chain.permits.toPermit2TypedData({ swap, quoteDigest }))
  return [
    { owner, swap, permit: { kind: 'permit', amountRaw, deadlineSeconds, signature } },
    { owner, swap, permit: { kind: 'permit2', quoteDigest, signature: forPermit2 } },
  ] as const
}

/** Answers as a node that refuses calls whose sender has code. */
function refuseContracts(error: object, { rejectsOverrides = false } = {}): Answer {
  const { rpcUrl, deployment } = stack.local
  return answerEachCall(rpcUrl, async (call, callNode) => {
    if (senderOf(call) === deployment.router.toLowerCase()) return { id: call.id, error }
    const hasOverrides = call.method === 'eth_call' && (call.params?.length ?? 0) > 2
    if (rejectsOverrides && hasOverrides)
      return { id: call.id, error: { code: -32_602, message: 'too many arguments' } }
    return await callNode(call)
  })
}

function senderOf({ method, params = [] }: NodeCall): string | undefined {
  const [{ from } = {}] = params as readonly { readonly from?: string }[]
  return method === 'eth_call' ? from?.toLowerCase() : undefined
}
