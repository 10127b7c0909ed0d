import { createPreview } from '../convert/createPreview.ts'

/** Tells what a conversion pays now: the older name of `convert/preview`. */
export const preview = createPreview({
  method: 'POST',
  path: '/api/v1/swap/preview',
  tags: ['Swap'],
  summary: 'Preview a conversion',
  description: 'The older name of `convert/preview`: the same input, the same answer, the same failures.',
  deprecated: true,
})
