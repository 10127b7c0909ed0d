import type { Conversion, Step } from '../../packages/sdk/src/index.ts'

/** Runs a conversion to its end, and returns its steps and its result. */
export async function recordSteps(conversion: Conversion) {
  const steps: Step[] = []
  try {
    for await (const step of conversion) steps.push(JSON.parse(JSON.stringify(step)) as Step)
    return { steps, told: steps.map(toText), receipt: await conversion, error: undefined }
  } catch (error) {
    return { steps, told: steps.map(toText), receipt: undefined, error }
  }
}

export type RecordedConversion = Awaited<ReturnType<typeof recordSteps>>

/** The kind and the status of a step; for an approval also its purpose. */
export function toText(step: Step): string {
  const purpose = step.kind === 'approve' && step.purpose === 'reset' ? ' reset' : ''
  return `${step.kind}${purpose} ${step.status}`
}
