/** Formats rows of text as lines, with aligned columns. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>((seen, row) => {
    return row.map((cell, column) => Math.max(cell.length, seen[column] ?? 0)).concat(seen.slice(row.length))
  }, [])
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}
