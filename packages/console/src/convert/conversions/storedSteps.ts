import { isAgioError, parseStep, type Step } from '@agio/sdk'
import { localStore } from '../../storage/browserStorage.ts'

const prefix = 'agio.conversion.'

/** Returns the id of the conversion that is stored under a name; undefined for another name. */
export function parseStoredName(name: string): string | undefined {
  return name.startsWith(prefix) ? name.slice(prefix.length) : undefined
}

/** @throws `StorageError` where the browser refuses: its storage is full, or not allowed */
export function writeStep(step: Step): void {
  try {
    localStorage.setItem(`${prefix}${step.conversionId}`, JSON.stringify(step))
  } catch (cause) {
    throw new StorageError(cause)
  }
}

/** Forgets the step of a conversion. */
export function removeStep(id: string): void {
  localStore.removeItem(`${prefix}${id}`)
}

/** Returns what is stored of a conversion, its newest step; undefined if nothing is. */
export function findStoredStep(id: string): StoredStep | undefined {
  const text = localStore.getItem(`${prefix}${id}`)
  return text === null ? undefined : parseStoredStep(id, text)
}

/** Lists what is stored of all conversions, the one with the newest step first. */
export function listStoredSteps(): readonly StoredStep[] {
  return localStore
    .listNames()
    .flatMap((name) => parseStoredName(name) ?? [])
    .flatMap((id) => findStoredStep(id) ?? [])
    .toSorted((one, other) => (other.step?.at ?? '').localeCompare(one.step?.at ?? ''))
}

/** The newest step of a conversion, or the error that says why what is stored is none. */
export type StoredStep =
  | { readonly id: string; readonly step: Step; readonly error?: undefined }
  | { readonly id: string; readonly step?: undefined; readonly error: unknown }

/** Parses what is stored of a conversion, by this version of the page, another one, or another program. */
export function parseStoredStep(id: string, text: string): StoredStep {
  try {
    const step = parseStep(JSON.parse(text))
    if (step.conversionId === id) return { id, step }
    return { id, error: new InvalidStepError('it is of another conversion') }
  } catch (error) {
    return { id, error: isAgioError(error) ? error : new InvalidStepError('it is not JSON') }
  }
}

/** The browser does not store a step. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly code = 'console/storage-refused'

  constructor(cause: unknown) {
    const message =
      'This browser does not store the next step, without which the conversion could not go on after a reload'
    super(`${message}. The wallet was not asked. Free some of its storage, or allow it, and go on`, { cause })
  }
}

class InvalidStepError extends Error {
  override readonly name = 'InvalidStepError'
  readonly code = 'convert/invalid-step'

  constructor(reason: string) {
    super(`Cannot read a stored conversion: ${reason}`)
  }
}
