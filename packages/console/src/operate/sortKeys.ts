import type { KeyStats } from '@agio/sdk/admin'

/** The sort column of the key table and its direction. */
export type Order = { readonly column: Column; readonly isAscending: boolean }

/** A column of the key table. */
export type Column = 'name' | 'company' | 'tier' | 'createdAt' | 'lastUsedAt' | 'calls' | 'refused' | 'remaining'

/** Sorts keys by a column. Keys without a value come last. Keys with equal values keep their order. */
export function sortKeys(keys: readonly KeyStats[], { column, isAscending }: Order): readonly KeyStats[] {
  const sign = isAscending ? 1 : -1
  return keys.toSorted((one, other) => {
    const [first, second] = [one[column], other[column]]
    if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined)
    return sign * compare(first, second)
  })
}

/** Returns the order after a click on a column. Numbers and times start descending, texts ascending. */
export function toNextOrder(order: Order, column: Column): Order {
  if (order.column === column) return { column, isAscending: !order.isAscending }
  return { column, isAscending: column === 'name' || column === 'company' || column === 'tier' }
}

function compare(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return String(one).localeCompare(String(other), 'en', { sensitivity: 'base', numeric: true })
}
