import { permit2Address, type CallPermit } from '@agio/chain'
import { tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import type { Hex, PrivateKeyAccount } from 'viem'
import { connectOwner } from '../harness/connectOwner.ts'

type Signer = Pick<PrivateKeyAccount, 'address' | 'signTypedData'>

/** Signs a permit by EIP-2612 for the router, with the current nonce of the owner. */
export async function signPermit(
  { rpcUrl, deployment }: LocalChain,
  signer: Signer,
  { token, amountRaw, deadlineSeconds, owner = signer.address }: signPermit.Terms,
): Promise<CallPermit> {
  const { client } = connectOwner({ rpcUrl })
  const read = { address: token, abi: tokenAbi } as const
  const [name, nonce] = await Promise.all([
    client.readContract({ ...read, functionName: 'name' }),
    client.readContract({ ...read, functionName: 'nonces', args: [owner] }),
  ])
  const spender = deployment.router
  const signature = await signer.signTypedData({
    domain: { name, version: '1', chainId: deployment.chainId, verifyingContract: token },
    types: { Permit: permitFields },
    primaryType: 'Permit',
    message: { owner, spender, value: amountRaw, nonce, deadline: deadlineSeconds },
  })
  return { kind: 'permit', amountRaw, deadlineSeconds, signature }
}

export declare namespace signPermit {
  type Terms = {
    readonly token: Address
    readonly amountRaw: bigint
    readonly deadlineSeconds: bigint
    /** The account that pays; the signer by default. */
    readonly owner?: Address
  }
}

/** Signs a conversion by the router that Permit2 pays. */
export async function signPermit2(
  { deployment }: LocalChain,
  signer: Signer,
  { quoteDigest, ...swap }: signPermit2.Swap,
): Promise<CallPermit> {
  const { mode, amounts, ...route } = swap
  const [first, second] = amounts
  const names =
    mode === 'exact-in'
      ? (['originAmount', 'minTargetAmount'] as const)
      : (['maxOriginAmount', 'targetAmount'] as const)
  const name = mode === 'exact-in' ? 'OriginSwap' : 'TargetSwap'
  const witness = { quote: deployment.referenceToken, ...route, [names[0]]: first, [names[1]]: second, quoteDigest }
  const types: Readonly<Record<string, readonly Field[]>> = {
    ...permit2Types,
    PermitWitnessTransferFrom: [...transferFields, { name: 'witness', type: name }],
    [name]: listFields(names),
  }
  const signature = await signer.signTypedData({
    domain: { name: 'Permit2', chainId: deployment.chainId, verifyingContract: permit2Address },
    types,
    primaryType: 'PermitWitnessTransferFrom',
    message: {
      permitted: { token: route.origin, amount: first },
      spender: deployment.router,
      nonce: BigInt(quoteDigest),
      deadline: route.deadline,
      witness,
    },
  })
  return { kind: 'permit2', quoteDigest, signature }
}

export declare namespace signPermit2 {
  type Swap = {
    readonly mode: 'exact-in' | 'exact-out'
    readonly origin: Address
    readonly target: Address
    /** The two amounts, input before output. */
    readonly amounts: readonly [bigint, bigint]
    readonly recipient: Address
    readonly deadline: bigint
    /** Any 32 bytes that were not used before. */
    readonly quoteDigest: Hex
  }
}

type Field = { readonly name: string; readonly type: string }

const permitFields = [
  { name: 'owner', type: 'address' },
  { name: 'spender', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
] as const

const permit2Types = {
  TokenPermissions: [
    { name: 'token', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
} as const

const transferFields = [
  { name: 'permitted', type: 'TokenPermissions' },
  { name: 'spender', type: 'address' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
] as const

function listFields(names: readonly string[]): readonly Field[] {
  return [
    ...['quote', 'origin', 'target'].map((name) => ({ name, type: 'address' })),
    ...names.map((name) => ({ name, type: 'uint256' })),
    { name: 'recipient', type: 'address' },
    { name: 'deadline', type: 'uint256' },
    { name: 'quoteDigest', type: 'bytes32' },
  ]
}
