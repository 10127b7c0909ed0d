/** Quotes a text as one word of a POSIX shell, which passes it on unchanged. Text without special characters stays as it is. */
export function quoteForShell(text: string): string {
  if (/^[A-Za-z0-9_/.:][A-Za-z0-9_/.:@%+=,-]*$/.test(text)) return text
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
