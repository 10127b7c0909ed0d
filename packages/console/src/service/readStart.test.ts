import { expect, it } from 'vitest'
import { readStart } from './readStart.ts'

function bodyOf(...chunks: readonly string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
      controller.close()
    },
  })
}

it.each([
  [10, 'abcdef', 6],
  [6, 'abcdef', 6],
  [4, 'abcd', 6],
  [3, 'abc', 6],
  [0, '', 6],
])('of a body in chunks, the first %i bytes are kept as %j, and all %i are counted', async (maxBytes, text, bytes) => {
  expect(await readStart(bodyOf('abc', 'def'), maxBytes)).toEqual({ text, bytes })
})

it('a body that ends within a character has no replacement for it', async () => {
  expect(await readStart(bodyOf('aé'), 2)).toEqual({ text: 'a', bytes: 3 })
})

it('a response without a body is empty', async () => {
  expect(await readStart(null, 10)).toEqual({ text: '', bytes: 0 })
})
