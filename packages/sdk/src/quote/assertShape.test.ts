import { expect, it } from 'vitest'
import type { Shape } from '../errors/findFlaw.ts'
import { assertShape } from './assertShape.ts'

const issue: Shape = { code: 'code of the service' }
const steps: Shape = [{ kind: 'string' }]
const shape: Shape = { name: 'string', block: { number: 'number' }, steps, 'at?': 'whole number', 'issue?': issue }
const response = { name: 'a', block: { number: 1 }, steps: [{ kind: 'b' }, { kind: 'c', more: null }], more: 1 }

it('accepts a response with more fields than the SDK reads', () => {
  assertShape('plan', response, shape)
  assertShape('plan', { ...response, steps: [], at: 0, issue: { code: 'svc/new' } }, shape)
})

it.each([
  ['plan', null],
  ['plan.name', { ...response, name: undefined }],
  ['plan.block', { ...response, block: null }],
  ['plan.block.number', { ...response, block: { number: '1' } }],
  ['plan.steps', { ...response, steps: {} }],
  ['plan.steps.1', { ...response, steps: [{ kind: 'b' }, null] }],
  ['plan.steps.0.kind', { ...response, steps: [{}] }],
  ['plan.at', { ...response, at: 54.5 }],
  ['plan.at', { ...response, at: -1 }],
  ['plan.at', { ...response, at: 2 ** 53 }],
  ['plan.issue.code', { ...response, issue: { code: 'convert/dropped' } }],
  ['plan.issue.code', { ...response, issue: JSON.parse('{"__proto__":{"code":"svc/a"},"code":"__proto__"}') }],
])('error: convert/mismatch with %s for the response %j', (field, value) => {
  expect(() => assertShape('plan', value, shape)).toThrow(
    expect.objectContaining({ code: 'convert/mismatch', details: expect.objectContaining({ field }) }),
  )
})
