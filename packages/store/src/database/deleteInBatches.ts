/** The largest number of rows of a batch. */
export const batchSize = 1000

const maxBatches = 50

/**
 * Repeats a deletion until it finds less than a batch, up to a maximum number of times, with pauses for other
 * statements.
 *
 * @param deleteBatch deletes at most `batchSize` rows, and returns them
 * @param signal ends the deletion after the current batch
 */
export async function deleteInBatches(
  deleteBatch: () => Promise<readonly object[]>,
  signal?: AbortSignal,
): Promise<void> {
  for (let count = 0; count < maxBatches; count += 1) {
    if (signal?.aborted) return
    if ((await deleteBatch()).length < batchSize) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
