import { isAgioError, parseStep, type Step } from '@agio/sdk'
import { localStore } from '../../storage/browserStorage.ts'

const prefix = 'agio.conversion.'

/** Returns the id of the conversion that is stored under a name, or undefined for any other name. */
export function parseStoredName(name: string): string | undefined {
  return name.startsWith(prefix) ? name.slice(prefix.length) : undefined
}

/** Stores a step. @throws `StorageError` if the storage is full or not allowed */
export function writeStep(step: Step): void {
  try {
    localStorage.setItem(`${prefix}${step.conversionId}`, JSON.stringify(step))
  } catch (cause) {
    throw new StorageError(cause)
  }
}

/** Removes the stored step of a conversion. */
export function removeStep(id: string): void {
  localStore.removeItem(`${prefix}${id}`)
}

/** Returns the newest stored step of a conversion, or undefined without one. */
export function findStoredStep(id: string): StoredStep | undefined {
  const text = localStore.getItem(`${prefix}${id}`)
  return text === null ? undefined : parseStoredStep(id, text)
}

/** Lists the stored steps of all conversions, newest first. */
export function listStoredSteps(): readonly StoredStep[] {
  return localStore
    .listNames()
    .flatMap((name) => parseStoredName(name) ?? [])
    .flatMap((id) => findStoredStep(id) ?? [])
    .toSorted((left, right) => (right.step?.at ?? '').localeCompare(left.step?.at ?? ''))
}

/** The newest step of a conversion, or the error that explains why the stored value is invalid. */
export type StoredStep =
  | { readonly id: string; readonly step: Step; readonly error?: undefined }
  | { readonly id: string; readonly step?: undefined; readonly error: unknown }

/** Parses a stored step, which this page, another version of the page, or another program has written. */
export function parseStoredStep(id: string, text: string): StoredStep {
  try {
    const step = parseStep(JSON.parse(text))
    if (step.conversionId === id) return { id, step }
    return { id, error: new InvalidStepError('it belongs to another conversion') }
  } catch (error) {
    return { id, error: isAgioError(error) ? error : new InvalidStepError('it is not JSON') }
  }
}

/** The error of a step that the browser cannot store. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly code = 'console/storage-refused'

  constructor(cause: unknown) {
    const message = 'The browser cannot store the next step, so the conversion could not be resumed after a reload'
    super(`${message}. The wallet was not asked. Free or allow browser storage, then resume`, { cause })
  }
}

class InvalidStepError extends Error {
  override readonly name = 'InvalidStepError'
  readonly code = 'convert/invalid-step'

  constructor(reason: string) {
    super(`Cannot read a stored conversion: ${reason}`)
  }
}
