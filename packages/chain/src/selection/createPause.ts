const [minMs, maxMs] = [100, 250]
// What travels as one batch fails as one.
const togetherMs = 10

/**
 * Lets callers wait a tenth to a quarter of a second, so that services which failed at once do not come again at once.
 * Who begins to wait at the same time waits equally long, so that what was one batch is one again.
 *
 * @param random from 0 to 1
 */
export function createPause(random: () => number): () => Promise<void> {
  let begunAtMs = -Infinity
  let pausing: Promise<void> = Promise.resolve()
  return () => {
    if (performance.now() - begunAtMs > togetherMs) {
      begunAtMs = performance.now()
      const waitMs = minMs + random() * (maxMs - minMs)
      pausing = new Promise((resolve) => setTimeout(resolve, waitMs))
    }
    return pausing
  }
}
