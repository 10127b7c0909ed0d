import { createBuildConvert } from './createBuildConvert.ts'

/** Builds an unsigned conversion. */
export const buildConvert = createBuildConvert({
  method: 'POST',
  path: '/api/v1/transaction/build/convert',
  tags: ['Transaction'],
  summary: 'Build an unsigned conversion',
  description:
    'Takes the direct pool if there is one, else the way through the dollar. What the pool would refuse is an error; what the wallet still lacks is listed in `issues`.',
})
