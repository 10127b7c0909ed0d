import { createPreview } from './createPreview.ts'

/** Tells what a conversion pays now. */
export const preview = createPreview({
  method: 'POST',
  path: '/api/v1/convert/preview',
  tags: ['Convert'],
  summary: 'Preview a conversion',
  description: 'Without `poolAddress` the conversion takes the route that `transaction/build/convert` takes.',
})
