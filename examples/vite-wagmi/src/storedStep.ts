import { isSettled, type Conversion, type ConversionReceipt, type Step } from '@agio/sdk'

const name = 'agio-conversion'

/**
 * Follows a conversion to its receipt and stores each step. A step is stored before the wallet is asked, so that a page
 * that is closed or reloaded at any moment can resume the conversion.
 */
export async function follow(conversion: Conversion, show: (step: Step) => void): Promise<ConversionReceipt> {
  for await (const step of conversion) {
    localStorage.setItem(name, JSON.stringify(step))
    show(step)
  }
  return await conversion
}

/** Returns the step of a conversion that may have been sent and must be resumed. */
export function findStoredStep(): Step | undefined {
  const text = localStorage.getItem(name)
  if (text === null) return undefined
  const step: Step = JSON.parse(text)
  // If the wallet cannot have sent anything, the user can take a new quote instead.
  return isSettled(step) ? undefined : step
}
