import type { Step } from './Step.ts'
import type { SuccessfulReceipt } from './SuccessfulReceipt.ts'

/**
 * A running conversion. Await it for the receipt, iterate it for its steps, or both. It starts at once.
 *
 * Each iteration gets all steps from the first one, and throws the error of the conversion. The wallet is asked only
 * after every iteration has taken the step that announces the request. A loop that stores its steps has then stored
 * that step. Do not await the conversion inside the loop: it would wait for itself.
 *
 * @example
 * const receipt = await agio.convert({ quote, wallet })
 */
export type Conversion = Promise<SuccessfulReceipt> &
  AsyncIterable<Step> & {
    /** Id of the conversion, a random UUID. All of its steps have it. */
    readonly conversionId: string
  }

/** Starts a conversion and keeps its steps for all iterations. */
export function createConversion(
  conversionId: string,
  run: (publish: Publish) => Promise<SuccessfulReceipt>,
): Conversion {
  const feed = createFeed<Step>()
  const receipt = run(feed.push)
  // Prevents an unhandled rejection if only the iterations are used. They throw the same error.
  receipt.then(feed.end, feed.end)
  return Object.assign(receipt, {
    conversionId,
    async *[Symbol.asyncIterator]() {
      yield* feed.read()
      await receipt
    },
  })
}

/** Publishes a step. Resolves once every iteration has taken it, which is when it requests the next step. */
export type Publish = (step: Step) => Promise<void>

type Feed<Item> = {
  push(item: Item): Promise<void>
  end(): void
  read(): AsyncGenerator<Item, void, void>
}

/** Creates a list that grows until it ends. Any number of readers read it from the start. */
function createFeed<Item>(): Feed<Item> {
  const items: Item[] = []
  const readers = new Set<{ taken: number }>()
  const state = { hasEnded: false }
  let waiting: (() => void)[] = []

  const changed = () => new Promise<void>((resolve) => waiting.push(resolve))
  const notify = () => {
    const resolves = waiting
    waiting = []
    for (const resolve of resolves) resolve()
  }

  return {
    async push(item) {
      const count = items.push(item)
      notify()
      while ([...readers].some(({ taken }) => taken < count)) await changed()
    },
    end() {
      state.hasEnded = true
      notify()
    },
    async *read() {
      const reader = { taken: 0 }
      readers.add(reader)
      try {
        while (reader.taken < items.length || !state.hasEnded) {
          if (reader.taken === items.length) {
            await changed()
            continue
          }
          yield items[reader.taken] as Item
          reader.taken++
          notify()
        }
      } finally {
        readers.delete(reader)
        notify()
      }
    },
  }
}
