import { connectOwner } from './connectOwner.ts'
import type { ProxiedStack } from './startProxiedStack.ts'
import { waitForBlock } from './waitForBlock.ts'

const blocks = 5

/**
 * Mines blocks, and returns how many calls the node of the first chain gets for each. The items of a batch count one by one.
 *
 * @param isCounted whether a method counts. Default: every method
 */
export async function countPerBlock(
  stack: ProxiedStack,
  isCounted: (method: string) => boolean = () => true,
): Promise<number> {
  const { requests } = stack.proxies[84532]
  const chain = stack.localnet.chains[84532]
  const { client } = connectOwner(chain)
  const first = requests.length
  for (let index = 0; index < blocks; index += 1) {
    await client.mine({ blocks: 1 })
    await waitForBlock(stack.url, chain)
  }
  const calls = requests.slice(first).flatMap((request) => request.calls)
  return calls.filter(({ method }) => isCounted(method)).length / blocks
}
