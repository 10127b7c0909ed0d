/** Returns a path, or a segment of one, percent-decoded once; malformed encodings are returned unchanged. */
export function decodePath(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}
