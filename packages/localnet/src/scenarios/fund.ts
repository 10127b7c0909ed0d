import { Amount, Errors, Network } from '@agio/core'
import { encodeFunctionData, getAddress, isAddress, parseAbi, parseEther, zeroAddress, type Address } from 'viem'
import type { LocalChain } from '../chain/LocalChain.ts'
import { assertMining } from './chain/mining.ts'
import type { ScenarioContext } from './definition/defineScenario.ts'

const mintableAbi = parseAbi([
  'function owner() view returns (address)',
  'function decimals() view returns (uint8)',
  'function mint(address to, uint256 amount)',
])

const gasMoneyWei = parseEther('1')

/**
 * Adds tokens and native currency to the balances of an account. Without an amount of native currency, an account with
 * less than 1 gets 1, for gas. Nothing is added if one of the amounts is refused.
 *
 * The node gives each transaction its nonce, so pushes of the keeper may be sent at the same time.
 *
 * @throws `svc/invalid-address`, `svc/unsupported-token`, `svc/invalid-request`; `svc/upstream-error` for a token that its
 * owner cannot mint
 */
export async function fund(
  context: ScenarioContext,
  { address, amounts }: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { chain, operator } = context
  const { client } = operator
  const account = parseAccount(address)
  const { nativeCurrency } = Network.get(chain.chainId)
  const { [nativeCurrency.symbol]: native, ...tokens } = toAmounts(amounts)
  const nativeWei = native === undefined || native === '0' ? 0n : Amount.parse(native, 18, nativeCurrency.symbol)
  const mints = await Promise.all(
    Object.entries(tokens).map(async ([symbol, amount]) => {
      const token = { address: getToken(chain, symbol), abi: mintableAbi } as const
      const decimals = await client.readContract({ ...token, functionName: 'decimals' })
      const args = [account, Amount.parse(amount, decimals, symbol)] as const
      return { token, data: encodeFunctionData({ abi: mintableAbi, functionName: 'mint', args }) }
    }),
  )
  if (mints.length > 0) await assertMining(context)
  const balanceWei = await client.getBalance({ address: account })
  const value = native === undefined && balanceWei < gasMoneyWei ? gasMoneyWei : balanceWei + nativeWei
  if (value !== balanceWei) await client.setBalance({ address: account, value })
  for (const { token, data } of mints) {
    await operator.sendAs(await client.readContract({ ...token, functionName: 'owner' }), token.address, data)
  }
}

/**
 * Returns an address with its checksum. A text with letters of both cases must have the right checksum (EIP-55), as in
 * requests of the API.
 */
function parseAccount(value: unknown): Address {
  if (value === undefined) throw refuseAddress(value, 'it is missing')
  if (typeof value !== 'string' || !isAddress(value, { strict: false })) {
    throw refuseAddress(value, 'it is not an address')
  }
  const account = getAddress(value)
  const hasBothCases = /[a-f]/.test(value) && /[A-F]/.test(value)
  if (hasBothCases && value !== account) throw refuseAddress(value, 'its checksum (EIP-55) is wrong')
  if (account === zeroAddress) throw refuseAddress(value, 'it is the zero address')
  return account
}

function refuseAddress(value: unknown, reason: string): Error {
  return Errors.invalidAddress({ field: 'address', value: typeof value === 'string' ? value : undefined, reason })
}

function toAmounts(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw Errors.invalidRequest({ field: 'amounts', value, reason: 'it is not an object of amounts by symbol' })
  for (const [field, amount] of Object.entries(value)) {
    if (typeof amount !== 'string') throw Errors.invalidRequest({ field, value: amount, reason: 'it is not a string' })
  }
  return value as Readonly<Record<string, string>>
}

function getToken({ chainId, tokens }: LocalChain, symbol: string): Address {
  if (Object.hasOwn(tokens, symbol)) return tokens[symbol] as Address
  const symbols = [...Object.keys(tokens), Network.get(chainId).nativeCurrency.symbol].join(', ')
  throw Errors.invalidRequest({
    field: symbol,
    action: `fund with ${symbol}`,
    reason: `the tokens of chain ${chainId} are ${symbols}`,
  })
}
