import { onTestFinished, vi } from 'vitest'
import { createHeads } from '../src/head/createHeads.ts'
import type { Head } from '../src/head/Head.ts'
import type { Subscription } from '../src/head/Subscription.ts'

/** Returns the head with a number, at that second of the chain. */
export const headOf = (number: bigint, fork = 0): Head => ({
  number,
  hash: `0x${fork}${number.toString(16).padStart(63, '0')}`,
  timestampSeconds: number,
})

/** Creates heads over a scripted node: its newest block, whether it accepts subscriptions, and how often it is read. */
export function startHeads({ maxAgeMs = 10_000, takes = true } = {}) {
  const node = {
    newest: headOf(1n),
    takes,
    isDead: false,
    hangs: false,
    fails: false,
    /** Reads of the newest block over any node, and over the subscribed one. */
    polls: 0,
    reads: 0,
    subscriptions: 0,
    notify: (_: Head | undefined) => {},
    end: () => {},
  }
  const answer = async () => {
    if (node.hangs) await new Promise(() => {})
    if (node.fails) throw new Error('broken')
    return node.newest
  }
  const heads = createHeads({
    maxAgeMs,
    read: () => {
      node.polls += 1
      return answer()
    },
    subscribe: (onNotice) => {
      node.subscriptions += 1
      if (!node.takes) return Promise.reject(new Error('the method does not exist'))
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      Object.assign(node, { notify: onNotice, end })
      const read = () => {
        node.reads += 1
        return node.isDead ? Promise.reject(new Error('late')) : answer()
      }
      return Promise.resolve<Subscription>({ read, ended, stop: end })
    },
  })
  onTestFinished(() => heads.stop())
  return { heads, node, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) }
}
