import type { CallPermit } from '@agio/chain'
import { permitRouterAbi } from '@agio/chain/abi'
import type { LocalChain } from '@agio/localnet'
import { encodeFunctionData, keccak256, maxUint256, type Address, type PrivateKeyAccount } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { signPermit, signPermit2 } from './signPermit.ts'
import type { Call, Swap } from '../harness/swaps.ts'

/** A swap by the router that a signature pays. */
export type PermitSwap = Omit<Swap, 'pool'> & { readonly kind: CallPermit['kind'] }

/** Signs a swap, and encodes it as a call of the router. */
export async function encodePermitSwap(chain: LocalChain, signer: PrivateKeyAccount, swap: PermitSwap): Promise<Call> {
  const { kind, amountInRaw = 0n, amountOutRaw, limitRaw, recipient = signer.address } = swap
  const { deployment, tokens } = chain
  const deadline = swap.deadlineSeconds ?? maxUint256
  const [origin, target] = [tokens[swap.from], tokens[swap.to]]
  const mode = amountOutRaw === undefined ? 'exact-in' : 'exact-out'
  const amounts = amountOutRaw === undefined ? [amountInRaw, limitRaw ?? 0n] : [limitRaw ?? 0n, amountOutRaw]
  const [first = 0n, second = 0n] = amounts
  const route = { origin, target, recipient, deadline }
  const permit =
    kind === 'permit'
      ? await signPermit(chain, signer, { token: origin, amountRaw: first, deadlineSeconds: deadline })
      : await signPermit2(chain, signer, {
          mode,
          ...route,
          amounts: [first, second],
          quoteDigest: keccak256(generatePrivateKey()),
        })
  const common = { quote: deployment.referenceToken, ...route }
  const data =
    mode === 'exact-in'
      ? encodeOrigin({ ...common, originAmount: first, minTargetAmount: second }, permit)
      : encodeTarget({ ...common, maxOriginAmount: first, targetAmount: second }, permit)
  return { target: deployment.router, data }
}

type Route = Readonly<Record<'quote' | 'origin' | 'target' | 'recipient', Address>> & { readonly deadline: bigint }

function encodeOrigin(swap: Route & Readonly<Record<'originAmount' | 'minTargetAmount', bigint>>, permit: CallPermit) {
  return permit.kind === 'permit'
    ? encodeFunctionData({ abi: permitRouterAbi, functionName: 'originSwapWithPermit', args: [swap, toStruct(permit)] })
    : encodeFunctionData({
        abi: permitRouterAbi,
        functionName: 'originSwapWithPermit2',
        args: [swap, permit.quoteDigest, permit.signature],
      })
}

function encodeTarget(swap: Route & Readonly<Record<'maxOriginAmount' | 'targetAmount', bigint>>, permit: CallPermit) {
  return permit.kind === 'permit'
    ? encodeFunctionData({ abi: permitRouterAbi, functionName: 'targetSwapWithPermit', args: [swap, toStruct(permit)] })
    : encodeFunctionData({
        abi: permitRouterAbi,
        functionName: 'targetSwapWithPermit2',
        args: [swap, permit.quoteDigest, permit.signature],
      })
}

function toStruct({ amountRaw, deadlineSeconds, signature }: Extract<CallPermit, { readonly kind: 'permit' }>) {
  return { amount: amountRaw, deadline: deadlineSeconds, signature }
}
