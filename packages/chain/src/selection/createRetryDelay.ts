const [minMs, maxMs] = [100, 250]
// Requests of one batch fail together.
const togetherMs = 10

/**
 * Creates a delay of 100 to 250 ms before a retry, at random, so that services whose requests failed together do not
 * retry together. Calls within 10 ms share one delay, so that the requests of one batch form one batch again.
 *
 * @param random from 0 to 1
 */
export function createRetryDelay(random: () => number): () => Promise<void> {
  let startedAtMs = -Infinity
  let delay: Promise<void> = Promise.resolve()
  return () => {
    if (performance.now() - startedAtMs > togetherMs) {
      startedAtMs = performance.now()
      const delayMs = minMs + random() * (maxMs - minMs)
      delay = new Promise((resolve) => setTimeout(resolve, delayMs))
    }
    return delay
  }
}
