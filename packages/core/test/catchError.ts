/** Returns what a function throws; undefined if it returns. */
export function catchError(run: () => unknown): unknown {
  try {
    run()
    return undefined
  } catch (error) {
    return error
  }
}
