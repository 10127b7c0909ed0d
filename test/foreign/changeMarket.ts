import { encodeFunctionData, parseAbi } from 'viem'
import type { ForeignPair, ForeignToken } from '../stack/deployForeignPools.ts'
import type { ForeignStack } from './startForeignStack.ts'

const abi = parseAbi([
  'function setFrozen(bool isFrozen)',
  'function setEmergency(bool isEmergency)',
  'function updateAnswer(int256 answer)',
  'function setRound(int256 answer, uint256 updatedAt)',
])

/** Sets or clears the frozen or emergency state of a pool, and waits until the service has seen the block. */
export async function setState(
  stack: ForeignStack,
  pair: ForeignPair,
  state: readonly [State, boolean],
): Promise<void> {
  const [functionName, isOn] = state
  await stack.owner.send(stack.market.pools[pair], encodeFunctionData({ abi, functionName, args: [isOn] }))
  await stack.seen()
}

type State = 'setFrozen' | 'setEmergency'

/** Sets a price, in dollars with 8 decimals, without waiting for the service. */
export async function setForeignPrice({ owner, market }: ForeignStack, token: ForeignToken, answer: bigint) {
  const data = encodeFunctionData({ abi, functionName: 'updateAnswer', args: [answer] })
  await owner.send(market.oracles[token], data)
}

/**
 * Sets a price of a given age, and waits until the service has seen the block.
 *
 * @returns the timestamp of the price, in unix seconds
 */
export async function setAge(
  stack: ForeignStack,
  token: ForeignToken,
  { answer, ageSeconds }: { readonly answer: bigint; readonly ageSeconds: bigint },
): Promise<bigint> {
  const { timestamp } = await stack.owner.client.getBlock()
  const givenAt = timestamp + 60n - ageSeconds
  await stack.owner.client.setNextBlockTimestamp({ timestamp: timestamp + 60n })
  const data = encodeFunctionData({ abi, functionName: 'setRound', args: [answer, givenAt] })
  await stack.owner.send(stack.market.oracles[token], data)
  await stack.seen()
  return givenAt
}
