import { Decimal, useNow } from '@agio/react/internal'
import type { ApiKey, KeyStats } from '@agio/sdk/admin'
import { useState } from 'react'
import styles from './operate.module.css'
import { usualScopes } from './toApplication.ts'
import { KeyTime } from '../time/Age.tsx'
import { type Tone, Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { ScrollTable } from '../ui/Page.tsx'
import { classes } from '../ui/classes.ts'
import { type Month, formatMonth } from '../usage/months.ts'

const columns: readonly (readonly [column: Column, title: string, isNumber?: boolean])[] = [
  ['name', 'Name'],
  ['company', 'Company'],
  ['tier', 'Tier'],
  ['createdAt', 'Created'],
  ['lastUsedAt', 'Last used'],
  ['calls', 'Calls', true],
  ['refused', 'Refused', true],
  ['remaining', 'Quota left', true],
]

const rowsPerPage = 100

/** A sortable table of keys, in pages. The name of a key selects it. */
export function KeyTable({ keys, details, month, order, setOrder, selectedId, onSelect }: KeyTable.Props) {
  const [page, setPage] = useState(0)
  const first = page * rowsPerPage
  const shown = keys.slice(first, first + rowsPerPage)
  const now = useNow(60_000)
  function sortBy(column: Column): void {
    setOrder(toNextOrder(order, column))
    setPage(0)
  }
  const isFirst = page === 0
  const isLast = first + rowsPerPage >= keys.length
  const table = (
    <ScrollTable caption={`Keys and their usage in ${formatMonth(month)}`} isLong>
      <thead>
        <tr>
          {columns.map(([column, title, isNumber]) => (
            <th
              key={column}
              scope="col"
              data-number={isNumber}
              aria-sort={order.column === column ? (order.isAscending ? 'ascending' : 'descending') : undefined}
            >
              <button type="button" className={styles['sort']} onClick={() => sortBy(column)}>
                {title}
                <span aria-hidden="true" className={styles['direction']}>
                  {order.column === column ? (order.isAscending ? '▲' : '▼') : ''}
                </span>
              </button>
            </th>
          ))}
          <th scope="col">Works from</th>
        </tr>
      </thead>
      <tbody>
        {shown.map((key) => (
          <Row
            key={key.id}
            stats={key}
            details={details?.get(key.id)}
            now={now}
            isSelected={key.id === selectedId}
            onSelect={onSelect}
          />
        ))}
      </tbody>
    </ScrollTable>
  )
  if (keys.length <= rowsPerPage) return table
  return (
    <>
      {table}
      <nav className={styles['pages']} aria-label="Pages of keys">
        <Button size="small" aria-disabled={isFirst} onClick={() => !isFirst && setPage(page - 1)}>
          Previous
        </Button>
        <span aria-live="polite">
          Keys {first + 1} to {first + shown.length} of {keys.length}
        </span>
        <Button size="small" aria-disabled={isLast} onClick={() => !isLast && setPage(page + 1)}>
          Next
        </Button>
      </nav>
    </>
  )
}

export declare namespace KeyTable {
  type Props = {
    readonly keys: readonly KeyStats[]
    /** The keys by id. Undefined while they are loading. */
    readonly details: ReadonlyMap<string, ApiKey> | undefined
    readonly month: Month
    readonly order: Order
    readonly setOrder: (order: Order) => void
    readonly selectedId: string | undefined
    readonly onSelect: (id: string) => void
  }
}

function Row({ stats, details, now, isSelected, onSelect }: RowProps) {
  const { id, name, company, tier, createdAt, lastUsedAt, calls, refused } = stats
  const badges = listKeyBadges({ ...details, revokedAt: stats.revokedAt }, now)
  return (
    <tr className={classes(isSelected && styles['selected'])}>
      <th scope="row">
        <span className={classes('named', styles['key'])}>
          <button
            type="button"
            aria-pressed={isSelected}
            title={name}
            className={styles['keyTableName']}
            onClick={() => onSelect(id)}
          >
            {name}
          </button>
          {badges.map(({ text, tone }) => (
            <Badge key={text} tone={tone}>
              {text}
            </Badge>
          ))}
        </span>
      </th>
      <td title={company} className={styles['company']}>
        {company ?? '–'}
      </td>
      <td>{tier}</td>
      <td>
        <KeyTime at={createdAt} />
      </td>
      <td>{lastUsedAt === undefined ? 'Never' : <KeyTime at={lastUsedAt} hasTime />}</td>
      <td data-number>{Decimal.format(String(calls))}</td>
      <td data-number className={classes(refused > 0 && styles['refused'])}>
        {Decimal.format(String(refused))}
      </td>
      <td data-number>{formatRemaining(stats)}</td>
      <td>{details ? describePlaces(details) : '–'}</td>
    </tr>
  )
}

type RowProps = {
  readonly stats: KeyStats
  readonly details: ApiKey | undefined
  /** In milliseconds. */
  readonly now: number
  readonly isSelected: boolean
  readonly onSelect: (id: string) => void
}

/** Describes from where a key works: the pages and the networks that it accepts. */
function describePlaces({ allowedOrigins, allowedCidrs, isCidrDryRun = false }: ApiKey): string {
  const networks = allowedCidrs && `${allowedCidrs.join(', ')}${isCidrDryRun ? ' (dry run)' : ''}`
  const places = [allowedOrigins?.join(', '), networks].filter((place) => place !== undefined)
  return places.length === 0 ? 'Anywhere' : places.join('; ')
}

/** Formats the rest of the quota. A revoked key has none. */
function formatRemaining({ revokedAt, remaining }: KeyStats): string {
  if (revokedAt !== undefined) return '–'
  return remaining === undefined ? 'No limit' : Decimal.format(String(remaining))
}

/** Whether a key works: it was not revoked and has not expired. */
export function isActive({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: number): boolean {
  return revokedAt === undefined && !(expiresAt !== undefined && Date.parse(expiresAt) <= now)
}

/** Lists how a key differs from a secret key that works everywhere and may do all but rotate itself. */
export function listKeyBadges(key: KeyFields, now: number): readonly KeyBadge[] {
  const badges: KeyBadge[] = []
  if (key.revokedAt !== undefined) badges.push({ text: 'Revoked', tone: 'danger' })
  else if (!isActive(key, now)) badges.push({ text: 'Expired', tone: 'danger' })
  if (key.kind === 'publishable') badges.push({ text: 'Publishable', tone: 'accent' })
  else if (isRestricted(key)) badges.push({ text: 'Restricted', tone: 'neutral' })
  return badges
}

type KeyFields = Partial<ApiKey>

type KeyBadge = { readonly text: string; readonly tone: Tone }

function isRestricted({ scopes, allowedCidrs, allowedOrigins }: KeyFields): boolean {
  const lacksScope = scopes !== undefined && usualScopes.some((scope) => !scopes.includes(scope))
  return lacksScope || allowedCidrs !== undefined || allowedOrigins !== undefined
}

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

/** Returns the key table as text with a header. Times are in ISO 8601, and missing values are empty. */
export function toKeyRows(keys: readonly KeyStats[]): readonly (readonly string[])[] {
  const header = ['Id', 'Prefix', 'Name', 'Company', 'Tier', 'Created', 'Last used', 'Revoked']
  return [
    [...header, 'Calls', 'Refused', 'Quota', 'Quota left'],
    ...keys.map((key) => {
      const { id, prefix, name, company, tier, createdAt, lastUsedAt, revokedAt, calls, refused, quota, remaining } =
        key
      const values = [
        id,
        prefix,
        name,
        company,
        tier,
        createdAt,
        lastUsedAt,
        revokedAt,
        calls,
        refused,
        quota,
        revokedAt === undefined ? remaining : undefined,
      ]
      return values.map((value) => String(value ?? ''))
    }),
  ]
}
