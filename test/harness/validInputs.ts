import type { LocalChain } from '@agio/localnet'

// An unused address: the tables of the suite read and build, but do not send.
const userAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const recipient = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

/** A valid input of every operation that needs no earlier call. */
export function validInputs({ chainId, tokens, pools, deployment }: LocalChain) {
  const pair = { tokenIn: tokens['tAUD'], tokenOut: tokens['tUSD'] }
  const approval = { chainId, tokenAddress: tokens['tAUD'], spenderAddress: deployment.router }
  const conversion = { ...pair, amountIn: '1000' }
  const poolAddress = pools['tAUD/tUSD']
  return {
    'chains.list': {},
    'pools.list': { chainId, page: 1, limit: 10 },
    'pools.get': { chainId, poolAddress },
    'convert.preview': { chainId, poolAddress, ...conversion },
    'convert.ladder': { chainId, poolAddress, ...pair, amounts: ['1000', '900000000'] },
    'convert.quote': { chainId, poolAddress, ...conversion, userAddress, recipient },
    'swap.preview': { chainId, poolAddress, ...conversion },
    'liquidity.previewDeposit': { chainId, poolAddress, value: '1000' },
    'liquidity.previewWithdraw': { chainId, poolAddress, lpAmount: '1000' },
    'oracle.prices': { chainId },
    'market.hours': { chainId },
    'approval.plan': { ...approval, ownerAddress: userAddress, amount: '10.5', unlimited: false },
    'approval.check': { ...approval, ownerAddress: userAddress, requiredAmount: '10.5' },
    'approval.build': { ...approval, amount: '10.5', isUnlimited: false },
    'approval.revoke': approval,
    'transaction.buildConvert': { chainId, userAddress, ...conversion, minAmountOut: '650.5' },
    'swap.build': { chainId, userAddress, ...conversion, minAmountOut: '650.5' },
    'transaction.nonce': { chainId, address: userAddress },
    'faucet.info': { chainId, userAddress },
    'faucet.tokens': { chainId },
    'faucet.buildClaimAll': { chainId, userAddress },
    'keys.self': {},
    'usage.get': { month: '2026-11' },
    'usage.requests': { from: '2026-11-21T15:00:00Z', limit: 10 },
    'webhooks.list': {},
    'webhooks.watches': { limit: 10 },
  }
}
