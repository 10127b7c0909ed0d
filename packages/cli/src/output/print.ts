import { formatTable } from '@agio/localnet/commands'
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

/** Prints an object: as one line of JSON, or as a table of labels and values. */
export function printRecord(record: object, options: OutputOptions, toRows: () => readonly Row[]): void {
  if (isJson(options)) return console.log(JSON.stringify(record))
  const rows = toRows().filter(([, value]) => value !== undefined)
  console.log(formatTable(rows.map(([label, value]) => [label, String(value)])))
}

/** Prints objects: each as one line of JSON, or as the rows of a table. */
export function printRecords<Item extends object>(
  items: readonly Item[],
  options: OutputOptions,
  columns: Readonly<Record<string, (item: Item) => string | number | undefined>>,
): void {
  if (isJson(options)) {
    for (const item of items) console.log(JSON.stringify(item))
    return
  }
  const cells = items.map((item) => Object.values(columns).map((toCell) => String(toCell(item) ?? '-')))
  console.log(formatTable([Object.keys(columns), ...cells]))
}
