import { describe, expect, it } from 'vitest'
import { parseStoredName, parseStoredStep } from './storedSteps.ts'
import { toStep } from './testSteps.ts'

const step = toStep({ kind: 'convert', status: 'needed' })
const id = step.conversionId

describe('parseStoredStep', () => {
  it('a stored step is read as it was written', () => {
    expect(parseStoredStep(id, JSON.stringify(step))).toEqual({ id, step })
  })

  it.each([
    ['text that is not JSON', '{"conversionId":'],
    ['JSON of another program', '{"theme":"dark"}'],
    ['a step of another version', JSON.stringify({ ...step, state: { ...step.state, version: 2 } })],
    ['a step of another conversion', JSON.stringify({ ...step, conversionId: id.replace('5', '6') })],
    ['nothing', 'null'],
  ])('%s has a code, and throws nothing', (_, text) => {
    expect(parseStoredStep(id, text)).toMatchObject({ id, error: { code: 'convert/invalid-step' } })
  })
})

describe('parseStoredName', () => {
  it('names of other things in the storage are not of conversions', () => {
    expect(parseStoredName(`agio.conversion.${id}`)).toBe(id)
    expect(parseStoredName('agio.theme')).toBeUndefined()
  })
})
