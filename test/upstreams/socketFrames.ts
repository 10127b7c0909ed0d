const text = 1
const close = 8

/**
 * Decodes the WebSocket frames of a client from a stream of bytes.
 *
 * @param onText receives each message, which is one frame
 * @param onClose runs when the client closes
 */
export function decodeFrames(onText: (message: string) => void, onClose: () => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    for (let frame = findFrame(rest); frame; frame = findFrame(rest)) {
      rest = rest.subarray(frame.end)
      if (frame.opcode === text) onText(frame.payload.toString())
      if (frame.opcode === close) onClose()
    }
  }
}

function findFrame(bytes: Buffer) {
  if (bytes.length < 2 || bytes.length < headerLength(bytes)) return undefined
  const start = headerLength(bytes)
  const end = start + payloadLength(bytes)
  if (bytes.length < end) return undefined
  const mask = bytes.subarray(start - 4, start)
  const payload = Buffer.from(bytes.subarray(start, end).map((byte, index) => byte ^ (mask[index % 4] ?? 0)))
  return { opcode: (bytes[0] ?? 0) & 0xf, payload, end }
}

function headerLength(bytes: Buffer): number {
  const short = (bytes[1] ?? 0) & 0x7f
  return 6 + (short === 127 ? 8 : short === 126 ? 2 : 0)
}

function payloadLength(bytes: Buffer): number {
  const short = (bytes[1] ?? 0) & 0x7f
  if (short === 127) return Number(bytes.readBigUInt64BE(2))
  return short === 126 ? bytes.readUInt16BE(2) : short
}

/** The WebSocket frame of a text that a server sends. */
export function encodeFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  const header = Buffer.alloc(10)
  header[0] = 0x81
  header[1] = 127
  header.writeBigUInt64BE(BigInt(payload.length), 2)
  if (payload.length > 0xffff) return Buffer.concat([header, payload])
  header[1] = payload.length < 126 ? payload.length : 126
  header.writeUInt16BE(payload.length, 2)
  return Buffer.concat([header.subarray(0, payload.length < 126 ? 2 : 4), payload])
}
