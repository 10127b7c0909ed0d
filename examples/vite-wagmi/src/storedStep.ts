import { isSettled, type Conversion, type ConversionReceipt, type Step } from '@agio/sdk'

// Each conversion has its own entry, so that two tabs do not overwrite each other's steps.
const prefix = 'agio-conversion:'

/**
 * Follows a conversion to its receipt and stores each step. A step is stored before the wallet is asked, so that a page
 * that is closed or reloaded at any moment can resume the conversion.
 */
export async function follow(conversion: Conversion, show: (step: Step) => void): Promise<ConversionReceipt> {
  const name = `${prefix}${conversion.conversionId}`
  for await (const step of conversion) {
    localStorage.setItem(name, JSON.stringify(step))
    show(step)
  }
  localStorage.removeItem(name)
  return await conversion
}

/** Returns the step of a conversion that may have been sent and must be resumed. */
export function findStoredStep(): Step | undefined {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(prefix))
  const steps = names.map((name): Step => JSON.parse(localStorage.getItem(name) ?? 'null'))
  // If the wallet cannot have sent anything, the user can take a new quote instead.
  return steps.find((step) => !isSettled(step))
}
