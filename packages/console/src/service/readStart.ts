/** Reads a body to its end. Returns its start as text and its total size. The rest is discarded. */
export async function readStart(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Start> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (let chunk = await reader?.read(); chunk?.value; chunk = await reader?.read()) {
    const room = Math.max(0, maxBytes - bytes)
    text += decoder.decode(chunk.value.subarray(0, room), { stream: true })
    bytes += chunk.value.byteLength
  }
  return { text, bytes }
}

type Start = { readonly text: string; readonly bytes: number }
