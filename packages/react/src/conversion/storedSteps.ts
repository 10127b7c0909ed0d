import { isAgioError, parseStep, type Step } from '@agio/sdk'

/**
 * Where the newest step of each conversion is stored, by conversion id. The default is the local storage of the browser. A page
 * can pass another one, for example one that encrypts or that has one entry per user.
 */
export type StepStore = {
  /** Returns the ids of all stored conversions. */
  list(): readonly string[]
  /** Returns the stored text of a conversion, or null without one. */
  read(conversionId: string): string | null
  /** Stores a text before the wallet is asked. @throws if it cannot be stored: the conversion then stops */
  write(conversionId: string, text: string): void
  /** Removes a conversion. */
  remove(conversionId: string): void
  /** Calls back when another tab has stored a text, or removed it (null). Returns a function that ends the subscription. */
  subscribe?(onChange: (conversionId: string, text: string | null) => void): () => void
}

/**
 * Creates the store that keeps steps in the local storage, one entry per conversion, so that two tabs never overwrite each
 * other. It touches the storage only when it is used. Without a storage, as on a server, it is empty.
 *
 * @param name separates the conversions of two providers on one page
 */
export function createLocalStepStore(name?: string): StepStore {
  const prefix = name === undefined ? 'agio.conversion.' : `agio.${name}.conversion.`
  const toId = (key: string) => (key.startsWith(prefix) ? key.slice(prefix.length) : undefined)
  return {
    list: () => attempt(() => Object.keys(localStorage), []).flatMap((key) => toId(key) ?? []),
    read: (id) => attempt(() => localStorage.getItem(prefix + id), null),
    write: (id, text) => localStorage.setItem(prefix + id, text),
    remove: (id) => attempt(() => localStorage.removeItem(prefix + id), undefined),
    subscribe(onChange) {
      const onStorage = ({ key, newValue }: StorageEvent) => {
        const id = toId(key ?? '')
        if (id !== undefined) onChange(id, newValue)
      }
      globalThis.addEventListener('storage', onStorage)
      return () => globalThis.removeEventListener('storage', onStorage)
    },
  }
}

/** Stores a step. @throws `StorageError` if the storage is full or not allowed */
export function writeStep(store: StepStore, step: Step): void {
  try {
    store.write(step.conversionId, JSON.stringify(step))
  } catch (cause) {
    throw new StorageError(cause)
  }
}

/** Returns the newest stored step of a conversion, or undefined without one. */
export function findStoredStep(store: StepStore, id: string): StoredStep | undefined {
  const text = store.read(id)
  return text === null ? undefined : parseStoredStep(id, text)
}

/** Lists the stored steps of all conversions, newest first. */
export function listStoredSteps(store: StepStore): readonly StoredStep[] {
  return store
    .list()
    .flatMap((id) => findStoredStep(store, id) ?? [])
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
  readonly code = 'page/storage-refused'

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

function attempt<Value>(act: () => Value, otherwise: Value): Value {
  try {
    return act()
  } catch {
    return otherwise
  }
}
