/** Decodes a path or a part of one, once. What does not decode stays as it was sent, for others to refuse. */
export function decodePath(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}
