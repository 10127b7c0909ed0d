import { createBroadcastConvert } from '../transaction/createBroadcastConvert.ts'

/** Sends a signed conversion: the older name of `transaction/broadcast/convert`. */
export const execute = createBroadcastConvert({
  method: 'POST',
  path: '/api/v1/swap/execute',
  tags: ['Swap'],
  summary: 'Broadcast a signed conversion, with slippage analysis',
  description: 'The older name of `transaction/broadcast/convert`: the same input, the same answer, the same failures.',
  deprecated: true,
})
