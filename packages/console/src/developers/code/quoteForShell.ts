/** Quotes a text as one word for a POSIX shell. Text without special characters is returned unchanged. */
export function quoteForShell(text: string): string {
  if (/^[A-Za-z0-9_/.:][A-Za-z0-9_/.:@%+=,-]*$/.test(text)) return text
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
