import { isSettled, type Conversion, type ConversionReceipt, type Step } from '@agio/sdk'

const name = 'agio-conversion'

/**
 * Follows a conversion to its receipt, and stores each step. The wallet is asked only after the step that tells of it is stored, so
 * that a page which is closed or reloaded at any moment can go on.
 */
export async function follow(conversion: Conversion, show: (step: Step) => void): Promise<ConversionReceipt> {
  for await (const step of conversion) {
    localStorage.setItem(name, JSON.stringify(step))
    show(step)
  }
  return await conversion
}

/** Returns the step of a conversion that may be on its way, and has to be resumed. */
export function findStoredStep(): Step | undefined {
  const text = localStorage.getItem(name)
  if (text === null) return undefined
  const step: Step = JSON.parse(text)
  // Where the wallet was asked for nothing that it may have sent, a new quote does as well.
  return isSettled(step) ? undefined : step
}
