/** Returns a body that calls a function when it has ended or its reader has gone. */
export function observeEnd(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await reader.read()
        if (!done) return controller.enqueue(value)
        onEnd()
        controller.close()
      },
      async cancel(reason) {
        onEnd()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
