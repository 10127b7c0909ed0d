import type { Step } from '@agio/sdk'
import { expect, it } from 'vitest'
import { encodeFunctionData, parseAbi } from 'viem'
import { describeRequest } from './confirm.ts'

const token = (digit: string) => `0x${digit.repeat(40)}` as const
const account = token('a')
const router = token('c')
const tokenIn = { address: token('1'), symbol: 'tAUD', decimals: 6 }
const tokenOut = { address: token('2'), symbol: 'tUSD', decimals: 6 }
const abi = parseAbi([
  'function originSwap(address quoteToken, address tokenIn, address tokenOut, uint256 amountIn, uint256 minAmountOut, uint256 deadline)',
])
const args = [token('3'), tokenIn.address, tokenOut.address, 100_000_000n, 65_054_896n, 1_800_000_000n] as const
const conversionId = '00112233445566778899aabbccddeeff'

/** A step that is about to sign, with the calldata of its conversion. The quote has other amounts on purpose. */
function waiting(content: object, data = `${encodeFunctionData({ abi, args })}${conversionId}`): Step {
  const quote = { tokenIn, tokenOut, amountIn: '1', minAmountOut: '999' }
  return {
    status: 'waiting-for-wallet',
    state: { quote, account, chainId: 84532, pending: { to: router, data } },
    ...content,
  } as unknown as Step
}

it('the confirmation of a conversion has the amounts, the recipient and the deadline of the calldata', () => {
  expect(describeRequest(waiting({ kind: 'convert' }))).toEqual([
    `Convert on chain 84532 by ${router}`,
    `  pay at most       100 tAUD  ${tokenIn.address}`,
    `  receive at least  65.054896 tUSD  ${tokenOut.address}`,
    `  to                ${account}`,
    '  before            2027-01-15T08:00:00.000Z',
  ])
})

it('error: calldata that is no conversion is not signed', () => {
  expect(() => describeRequest(waiting({ kind: 'convert' }, '0x095ea7b3'))).toThrow('Cannot decode')
})

it('the confirmation of an approval and of a permit has the spender and the amount', () => {
  const asked = { spender: router, amount: '100', token: tokenIn }
  expect(describeRequest(waiting({ kind: 'approve', purpose: 'approve', ...asked }))).toEqual([
    `Approve ${router}: it may take 100 tAUD`,
  ])
  expect(describeRequest(waiting({ kind: 'permit', ...asked }))).toEqual([
    `Sign a permit: ${router} may take 100 tAUD for this conversion`,
  ])
})

it('a step that signs nothing needs no confirmation', () => {
  expect(describeRequest(waiting({ kind: 'switch-chain' }))).toEqual([])
  expect(describeRequest(waiting({ kind: 'convert', status: 'needed' }))).toEqual([])
})
