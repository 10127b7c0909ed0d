import type { Head } from './Head.ts'

// The pace is judged over the last minute of blocks, once they span half a minute. A node that is catching up counts as
// in step only if its blocks advance at less than 1.14 times the speed of the clock.
const windowMs = 60_000
const minSpanMs = 30_000
const minBlocksPerHalf = 3
// Block times are whole seconds, and a poll finds a block up to 400 ms late.
const toleranceMs = 2000

/**
 * Observes whether the block times of a chain advance in step with the monotonic clock. A correction of the wall clock
 * does not affect the monotonic clock.
 *
 * It compares the delays of the two halves of the last minute. The delay of a half is the smallest delay of its blocks,
 * so a late poll does not matter.
 */
export function createHeadPace({ now = () => performance.now() }: { readonly now?: () => number } = {}) {
  let blocks: readonly ObservedBlock[] = []
  let delayMs: number | undefined

  return {
    /** Takes each new head, in order. */
    observe(head: Pick<Head, 'timestampSeconds'>): void {
      const timeMs = toTimeMs(head)
      if (timeMs === blocks.at(-1)?.timeMs) return
      const seenAtMs = now()
      blocks = [...blocks.filter((block) => seenAtMs - block.seenAtMs <= windowMs), { timeMs, seenAtMs }]
      const halves = findHalves(blocks)
      if (halves) delayMs = isInStep(halves) ? halves[1] : undefined
    },
    /**
     * Returns the age of a block in milliseconds, as if the block with the smallest delay in the last half minute had
     * arrived without delay. Returns undefined unless the chain was in step with the monotonic clock when its last blocks
     * arrived.
     */
    findAgeMs: (block: Pick<Head, 'timestampSeconds'>) =>
      delayMs === undefined ? undefined : now() - toTimeMs(block) - delayMs,
  }
}

type ObservedBlock = { readonly timeMs: number; readonly seenAtMs: number }

/** Returns the smallest delays of the older and of the newer half; undefined while there are too few blocks. */
function findHalves(blocks: readonly ObservedBlock[]): readonly [older: number, newer: number] | undefined {
  const [first, last] = [blocks[0]?.seenAtMs ?? 0, blocks.at(-1)?.seenAtMs ?? 0]
  const middleMs = (first + last) / 2
  const older = blocks.filter(({ seenAtMs }) => seenAtMs < middleMs)
  const newer = blocks.filter(({ seenAtMs }) => seenAtMs >= middleMs)
  if (last - first < minSpanMs || Math.min(older.length, newer.length) < minBlocksPerHalf) return undefined
  return [leastDelayMs(older), leastDelayMs(newer)]
}

function leastDelayMs(blocks: readonly ObservedBlock[]): number {
  return Math.min(...blocks.map(({ seenAtMs, timeMs }) => seenAtMs - timeMs))
}

function isInStep([older, newer]: readonly [number, number]): boolean {
  return Math.abs(newer - older) <= toleranceMs
}

function toTimeMs({ timestampSeconds }: Pick<Head, 'timestampSeconds'>): number {
  return Number(timestampSeconds) * 1000
}
