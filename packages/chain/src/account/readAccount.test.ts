import { zeroAddress } from 'viem'
import { expect, it } from 'vitest'
import { connectFakeNodes } from '../../test/connectFakeNodes.ts'
import { createFakeNode, replyTo } from '../../test/createFakeNode.ts'
import { readNonces } from './readAccount.ts'

it.each([
  ['is larger than the mined ones', { result: '0x5' }, { pending: 5, latest: 4 }],
  ['is lower than the mined ones', { result: '0x0' }, { pending: 4, latest: 4 }],
  ['fails', { error: { code: -32_601, message: 'pending is not supported' } }, { pending: 4, latest: 4 }],
])(
  'the larger count of transactions is the next nonce if the count of pending transactions %s',
  async (_, pending, nonces) => {
    const node = createFakeNode()
    node.setBehaviour(
      replyTo('eth_getTransactionCount', ([, tag]) => (tag === 'pending' ? pending : { result: '0x4' })),
    )
    const { rpc, run } = connectFakeNodes([node])
    expect((await run(readNonces(rpc, zeroAddress))).result).toEqual(nonces)
  },
)
