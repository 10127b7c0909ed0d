import { createBuildConvert } from '../transaction/createBuildConvert.ts'

/** Builds an unsigned conversion: the older name of `transaction/build/convert`. */
export const build = createBuildConvert({
  method: 'POST',
  path: '/api/v1/transaction/build/swap',
  tags: ['Swap'],
  summary: 'Build an unsigned conversion',
  description: 'The older name of `transaction/build/convert`: the same input, the same answer, the same failures.',
  deprecated: true,
})
