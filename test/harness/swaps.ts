import { exactOutRouterAbi, poolAbi, routerAbi, tokenAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { encodeFunctionData, maxUint256, parseAbi, parseEther, type Hex } from 'viem'
import { connectOwner } from './connectOwner.ts'
import type { mineTogether } from './mineTogether.ts'
import { sendTransaction, writeContract } from './writeContract.ts'

type TokenSymbol = 'tUSD' | 'tAUD' | 'tEUR'

/** An amount of raw units that is converted between two tokens: by the router, or by a pool. */
export type Swap = {
  readonly from: TokenSymbol
  readonly to: TokenSymbol
  readonly amountInRaw?: bigint
  /** An exact output. */
  readonly amountOutRaw?: bigint
  /** The smallest output or the largest input; unlimited by default. */
  readonly limitRaw?: bigint
  readonly recipient?: Address
  readonly pool?: Address | undefined
  readonly deadlineSeconds?: bigint
}

/** A call of a contract. */
export type Call = { readonly target: Address; readonly data: Hex }

/** The function by which the accounts of tests execute calls. */
export const executeAbi = parseAbi(['struct Call { address target; bytes data; }', 'function execute(Call[] calls)'])

const lots = 10n ** 15n

/** Encodes a swap as a call of the router, or of a pool. */
export function encodeSwap({ deployment, tokens }: LocalChain, swap: Swap): Call {
  const { pool, recipient, amountInRaw = 0n, amountOutRaw, limitRaw, deadlineSeconds = maxUint256 } = swap
  const [tokenIn, tokenOut] = [tokens[swap.from], tokens[swap.to]] as [Address, Address]
  const isExactOut = amountOutRaw !== undefined
  const amounts = isExactOut ? [limitRaw ?? maxUint256, amountOutRaw] : [amountInRaw, limitRaw ?? 0n]
  const [first = 0n, second = 0n] = amounts
  const name = isExactOut ? 'targetSwap' : 'originSwap'
  if (pool) {
    const args = [tokenIn, tokenOut, first, second, deadlineSeconds] as const
    return { target: pool, data: encodeFunctionData({ abi: poolAbi, functionName: name, args }) }
  }
  const abi = [...routerAbi, ...exactOutRouterAbi] as const
  const common = [deployment.referenceToken, tokenIn, tokenOut, first, second] as const
  const data = recipient
    ? encodeFunctionData({ abi, functionName: `${name}To`, args: [...common, recipient, deadlineSeconds] })
    : encodeFunctionData({ abi, functionName: name, args: [...common, deadlineSeconds] })
  return { target: deployment.router, data }
}

/** Encodes the call by which the smart account of tests executes others. */
export function executeBy(target: Address, calls: readonly Call[]): Call {
  return { target, data: encodeFunctionData({ abi: executeAbi, functionName: 'execute', args: [calls] }) }
}

/** Gives an account native currency, and enough of every token, which the router and all pools may spend. */
export async function fund(chain: LocalChain, account: Address): Promise<void> {
  const { client } = connectOwner(chain)
  await client.setBalance({ address: account, value: parseEther('100') })
  for (const address of Object.values(chain.tokens)) {
    const mint = { abi: tokenAbi, functionName: 'mint', args: [account, lots] } as const
    await writeContract(client, { address, ...mint })
    for (const spender of [chain.deployment.router, ...chain.deployment.pools]) {
      const approve = { abi: tokenAbi, functionName: 'approve', args: [spender, maxUint256] } as const
      await writeContract(client, { address, account, ...approve })
    }
  }
}

/** Sends a call as any account, and returns the hash of the mined transaction. */
export async function sendAs(chain: LocalChain, account: Address, { target, data }: Call): Promise<Hex> {
  const { client } = connectOwner(chain)
  return (await sendTransaction(client, { account, to: target, data })).transactionHash
}

/** A call as any account, for `mineTogether`: it may revert. */
export function submitAs(
  chain: LocalChain,
  account: Address,
  { target, data, gas = 2_000_000n }: Call & { readonly gas?: bigint },
): mineTogether.Submit {
  const { client } = connectOwner(chain)
  return async (fees) => {
    await client.impersonateAccount({ address: account })
    return await client.sendTransaction({ account, to: target, data, gas, chain: null, ...fees })
  }
}
