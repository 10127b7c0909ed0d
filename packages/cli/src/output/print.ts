import { formatTable } from '@agio/localnet/stacks'
import process from 'node:process'

/** How results are printed. */
export type OutputOptions = {
  /** Whether to print JSON on a terminal, too. */
  readonly json?: boolean | undefined
}

/** A label, and the text of a value. Rows without a value are not shown. */
export type Row = readonly [label: string, value: string | number | undefined]

/** Returns whether results are JSON: with `--json`, and if standard output is not a terminal. */
export function isJson({ json = false }: OutputOptions): boolean {
  return json || !process.stdout.isTTY
}

/** Prints text on the standard output. */
export function print(text: string): void {
  console.log(toPrintable(text))
}

/** Prints text on the error output. */
export function printError(text: string): void {
  console.error(toPrintable(text))
}

/**
 * Writes control characters of a text as JSON does, except line breaks and tabs: what a service returns could otherwise move
 * the cursor of the terminal, or change what it shows.
 */
export function toPrintable(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, escape)
}

/** The same for a text that is part of a line: line breaks are written, too. */
export function toLine(text: string): string {
  return toPrintable(text.replaceAll('\n', String.raw`\n`))
}

function escape(character: string): string {
  return String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, '0')
}

/** Prints an object: as one line of JSON, or as a table of labels and values. */
export function printRecord(record: object, options: OutputOptions, toRows: () => readonly Row[]): void {
  if (isJson(options)) return print(JSON.stringify(record))
  const rows = toRows().filter(([, value]) => value !== undefined)
  print(formatTable(rows.map(([label, value]) => [label, toLine(String(value))])))
}

/** Prints objects: each as one line of JSON, or as the rows of a table. */
export function printRecords<Item extends object>(
  items: readonly Item[],
  options: OutputOptions,
  columns: Readonly<Record<string, (item: Item) => string | number | undefined>>,
): void {
  if (isJson(options)) {
    for (const item of items) print(JSON.stringify(item))
    return
  }
  const cells = items.map((item) =>
    Object.values(columns)
      .map((toCell) => String(toCell(item) ?? '-'))
      .map(toLine),
  )
  print(formatTable([Object.keys(columns), ...cells]))
}
