import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLocalStepStore, parseStoredStep, writeStep } from './storedSteps.ts'
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

describe('createLocalStepStore', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('two names on one page have their own conversions, and leave out other entries', () => {
    vi.stubGlobal('localStorage', Object.assign(Object.create(storage), { 'agio.theme': 'dark' }))
    const [first, second] = [createLocalStepStore(), createLocalStepStore('second')]
    first.write('1', 'one')
    second.write('2', 'two')
    expect([first.list(), second.list()]).toEqual([['1'], ['2']])
    first.remove('1')
    expect([first.read('1'), second.read('2')]).toEqual([null, 'two'])
  })

  it('without a storage, as on a server, it is empty', () => {
    expect(createLocalStepStore().list()).toEqual([])
    expect(() => writeStep(createLocalStepStore(), step)).toThrow(/cannot store/)
  })
})

/** The methods of a storage, whose own keys are the stored names. */
const storage = {
  getItem(this: Record<string, string>, name: string) {
    return this[name] ?? null
  },
  setItem(this: Record<string, string>, name: string, value: string) {
    this[name] = value
  },
  removeItem(this: Record<string, string>, name: string) {
    delete this[name]
  },
}
