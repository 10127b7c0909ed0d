import { parseAbi } from 'viem'
import type { ForeignPair, ForeignToken } from '../harness/deployForeignPools.ts'
import { writeContract } from '../harness/writeContract.ts'
import type { ForeignStack } from '../harness/startForeignStack.ts'

const abi = parseAbi([
  'function setFrozen(bool isFrozen)',
  'function setEmergency(bool isEmergency)',
  'function setGloballyFrozen(bool isFrozen)',
  'function setMarkup(uint256 markup)',
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
  await writeContract(stack.owner.client, { address: stack.market.pools[pair], abi, functionName, args: [isOn] })
  await stack.seen()
}

/** Changes what the views of a pool of the family add to its own arithmetic, in raw units, and waits until the service has seen the block. */
export async function setMarkup(stack: ForeignStack, pair: ForeignPair, markupRaw: bigint): Promise<void> {
  const call = { address: stack.market.pools[pair], abi, functionName: 'setMarkup', args: [markupRaw] } as const
  await writeContract(stack.owner.client, call)
  await stack.seen()
}

type State = 'setFrozen' | 'setEmergency' | 'setGloballyFrozen'

/** Sets a price, in dollars with 8 decimals, without waiting for the service. */
export async function setForeignPrice({ owner, market }: ForeignStack, token: ForeignToken, answer: bigint) {
  await writeContract(owner.client, {
    address: market.oracles[token],
    abi,
    functionName: 'updateAnswer',
    args: [answer],
  })
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
  await writeContract(stack.owner.client, {
    address: stack.market.oracles[token],
    abi,
    functionName: 'setRound',
    args: [answer, givenAt],
  })
  await stack.seen()
  return givenAt
}
