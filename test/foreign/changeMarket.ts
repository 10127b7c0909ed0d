import { encodeFunctionData, parseAbi } from 'viem'
import type { ForeignPair, ForeignToken } from '../stack/deployForeignPools.ts'
import type { ForeignStack } from './startForeignStack.ts'

const abi = parseAbi([
  'function setFrozen(bool isFrozen)',
  'function setEmergency(bool isEmergency)',
  'function updateAnswer(int256 answer)',
  'function setRound(int256 answer, uint256 updatedAt)',
])

/** Freezes a pool or declares its emergency, or ends that, and waits until the service has seen it. */
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

/** Moves a price, in dollars with 8 decimals; the service need not have seen it yet. */
export async function setForeignPrice({ owner, market }: ForeignStack, token: ForeignToken, answer: bigint) {
  const data = encodeFunctionData({ abi, functionName: 'updateAnswer', args: [answer] })
  await owner.send(market.oracles[token], data)
}

/**
 * Makes a price so many seconds old, and waits until the service has seen it.
 *
 * @returns when it was given, in unix seconds
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
