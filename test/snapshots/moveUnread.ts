import type { LocalChain } from '@agio/localnet'
import { connectOwner } from '../stack/connectOwner.ts'
import { waitForBlock } from '../stack/waitForBlock.ts'
import type { Hold } from './holdRequests.ts'
import { isStateRead } from './isStateRead.ts'
import { setPrice } from './setPrice.ts'

/** Moves the price in a new block whose state read fails, and returns the block once the service serves it. */
export async function moveUnread(url: string, chain: LocalChain, { hold, price }: moveUnread.Options) {
  const reads = hold(isStateRead)
  reads.breakOff()
  await setPrice(chain, 'tAUD', price)
  await waitForBlock(url, chain)
  reads.pass()
  return await connectOwner(chain).client.getBlock()
}

export declare namespace moveUnread {
  type Options = { readonly hold: Hold; readonly price: bigint }
}
