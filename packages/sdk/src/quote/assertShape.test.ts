import { expect, it } from 'vitest'
import { assertShape, type Shape } from './assertShape.ts'

const shape: Shape = { name: 'string', block: { number: 'number' }, steps: [{ kind: 'string' }] }
const response = { name: 'a', block: { number: 1 }, steps: [{ kind: 'b' }, { kind: 'c', more: null }], more: 1 }

it('accepts a response with more fields than the SDK reads', () => {
  assertShape('plan', response, shape)
  assertShape('plan', { ...response, steps: [] }, shape)
})

it.each([
  ['plan', null],
  ['plan', 'text'],
  ['plan.name', { ...response, name: undefined }],
  ['plan.name', { ...response, name: 1 }],
  ['plan.block', { ...response, block: null }],
  ['plan.block.number', { ...response, block: { number: '1' } }],
  ['plan.steps', { ...response, steps: {} }],
  ['plan.steps.1', { ...response, steps: [{ kind: 'b' }, null] }],
  ['plan.steps.0.kind', { ...response, steps: [{}] }],
])('error: convert/mismatch with %s for the response %j', (field, value) => {
  expect(() => assertShape('plan', value, shape)).toThrow(
    expect.objectContaining({ code: 'convert/mismatch', details: expect.objectContaining({ field }) }),
  )
})
