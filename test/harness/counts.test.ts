import { expect, it } from 'vitest'
import { listExcess } from './counts.ts'

const started = { stacks: 3, services: 4, processes: 0, deployments: 6 }

it('a project within its budget has no excess', () => {
  expect(listExcess({ integration: started }, { integration: started })).toEqual([])
})

it('each count above the budget of its project is named with both numbers', () => {
  const budget = { integration: { ...started, stacks: 2, deployments: 5 } }
  expect(listExcess({ integration: started }, budget)).toEqual([
    'Over budget: the tests of integration started 3 stacks, and test/budget.json allows 2',
    'Over budget: the tests of integration started 6 deployments, and test/budget.json allows 5',
  ])
})

it('a project without a budget may start nothing', () => {
  expect(listExcess({ quick: { ...started, stacks: 0, services: 1, deployments: 0 } }, {})).toEqual([
    'Over budget: the tests of quick started 1 services, and test/budget.json allows 0',
  ])
})
