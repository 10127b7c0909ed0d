/** Writes a text as a part of a query; half a character, which cannot be written, as the replacement character. */
export function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
