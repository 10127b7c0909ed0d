import { createBroadcastConvert } from './createBroadcastConvert.ts'

/** Sends a signed conversion and compares what it paid with the oracles' prices in its block. */
export const broadcastConvert = createBroadcastConvert({
  method: 'POST',
  path: '/api/v1/transaction/broadcast/convert',
  tags: ['Transaction'],
  summary: 'Broadcast a signed conversion, with slippage analysis',
  description:
    '`convert` is absent while the transaction is pending, when it failed, and if the node cannot tell the prices of its block; the same call later returns it.',
})
