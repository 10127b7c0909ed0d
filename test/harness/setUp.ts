import { afterAll, beforeAll } from 'vitest'

/** Starts what the tests of a file or of a group share, before them, and stops it afterwards. */
export function setUp<Value extends AsyncDisposable>(start: () => Promise<Value>): Value {
  // Each part is there once the hook has run.
  const value = {} as Value
  beforeAll(async () => void Object.assign(value, await start()))
  afterAll(() => value[Symbol.asyncDispose]?.())
  return value
}
