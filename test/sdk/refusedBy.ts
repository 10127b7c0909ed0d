import fc from 'fast-check'
import { countRuns, randomSeed } from '../harness/randomSeed.ts'
import { randomConversions, type Form, type RandomConversion } from './randomConversion.ts'

/** The runs of a property. */
export const runs = { seed: randomSeed('conversions of the SDK'), numRuns: countRuns(60) }

/** The field that a check refuses; undefined if it accepts. */
export function refusedBy(check: () => void): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    const { code, details } = error as { code?: string; details?: { field?: string } }
    if (code !== 'convert/mismatch') throw error
    return details?.field ?? 'no field'
  }
}

/** Checks a property of random conversions of a form. */
export function forAll(form: Form, property: (conversion: RandomConversion) => void): void {
  fc.assert(fc.property(randomConversions(form), property), runs)
}
