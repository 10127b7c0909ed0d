/** The largest number of rows of a batch. */
export const batchSize = 1000

const maxBatches = 50

/**
 * Repeats a deletion or an update until it finds less than a batch, up to a maximum number of times, with pauses for other
 * statements.
 *
 * @param changeBatch changes at most `batchSize` rows so that it does not find them again, and returns them
 * @param signal ends the repetition after the current batch
 */
export async function changeInBatches(changeBatch: () => Promise<readonly object[]>, signal?: AbortSignal) {
  for (let count = 0; count < maxBatches; count += 1) {
    if (signal?.aborted) return
    if ((await changeBatch()).length < batchSize) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
