import { definePreview } from './preview.ts'
import { defineBroadcastConvert } from '../transaction/broadcastConvert.ts'
import { defineBuildConvert } from '../transaction/buildConvert.ts'
import { router } from '../procedure/procedure.ts'

/** The deprecated names of the conversion procedures. */
export const deprecatedProcedures = router({
  preview: definePreview({
    method: 'POST',
    path: '/api/v1/swap/preview',
    operationId: 'previewSwap',
    tags: ['Swap'],
    summary: 'Preview a conversion',
    description: 'Deprecated: use `convert/preview`, which has the same request, response and errors.',
    deprecated: true,
  }),
  build: defineBuildConvert({
    method: 'POST',
    path: '/api/v1/transaction/build/swap',
    operationId: 'buildSwap',
    tags: ['Swap'],
    summary: 'Build an unsigned conversion',
    description: 'Deprecated: use `transaction/build/convert`, which has the same request, response and errors.',
    deprecated: true,
  }),
  execute: defineBroadcastConvert({
    method: 'POST',
    path: '/api/v1/swap/execute',
    operationId: 'executeSwap',
    tags: ['Swap'],
    summary: 'Broadcast a signed conversion, with slippage analysis',
    description: 'Deprecated: use `transaction/broadcast/convert`, which has the same request, response and errors.',
    deprecated: true,
  }),
})
