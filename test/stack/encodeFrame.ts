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
