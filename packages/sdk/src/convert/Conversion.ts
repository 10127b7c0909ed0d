import type { Step } from './Step.ts'
import type { SuccessfulReceipt } from './SuccessfulReceipt.ts'

/**
 * A conversion on its way. Await it for the receipt, iterate it for its steps, or both: it starts at once and runs by itself.
 *
 * Each iteration gets all steps from the first, and throws the error that the conversion ended with. Before the wallet is asked
 * for anything, every iteration has taken the step that tells of it, so that a loop which stores its steps has stored that one: do
 * not await the conversion within the loop.
 *
 * @example
 * const receipt = await agio.convert({ quote, wallet })
 */
export type Conversion = Promise<SuccessfulReceipt> &
  AsyncIterable<Step> & {
    /** Id of the conversion, a random UUID, which its steps have: known before the first of them. */
    readonly conversionId: string
  }

/** Starts a conversion, and keeps its steps for all that iterate it. */
export function createConversion(conversionId: string, run: (tell: Tell) => Promise<SuccessfulReceipt>): Conversion {
  const feed = createFeed<Step>()
  const receipt = run(feed.push)
  // The promise may be the one that is not used: the iterations throw the same error.
  receipt.then(feed.end, feed.end)
  return Object.assign(receipt, {
    conversionId,
    async *[Symbol.asyncIterator]() {
      yield* feed.read()
      await receipt
    },
  })
}

/** Tells of a step. Resolves once all that iterate the conversion have taken it, which is when they ask for the next. */
export type Tell = (step: Step) => Promise<void>

type Feed<Item> = {
  push(item: Item): Promise<void>
  end(): void
  read(): AsyncGenerator<Item, void, void>
}

/** A list that grows until it ends, and that any number of readers read from its begin. */
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
