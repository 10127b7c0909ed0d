import { Decimal, useNow } from '@agio/react/internal'
import type { AdminStats, ApiKey, KeyStats } from '@agio/sdk/admin'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { KeyTime } from '../time/Age.tsx'
import { Badge, Notice } from '../ui/Notice.tsx'
import { Button, CsvButton } from '../ui/Button.tsx'
import { Panel, ScrollTable, Skeleton, Stack, Totals } from '../ui/Panel.tsx'
import { classes } from '../ui/classes.ts'
import { MonthSelect } from '../usage/MonthUsage.tsx'
import { type Month, formatMonth, listMonthsSince, toMonth } from '../usage/months.ts'
import { AdminErrorNotice, OperatorPage, useRefreshKeys, toStatsQuery, useAdmin, useKeys } from './AdminKeyForm.tsx'
import { CreateKeyDialog } from './KeyForm.tsx'
import { KeyPanel } from './KeyPanel.tsx'
import { type Column, type Order, isActive, listKeyBadges, sortKeys, toKeyRows, toNextOrder } from './keys.ts'
import styles from './operate.module.css'

/** The page of all API keys, with their usage. */
export function KeysPage() {
  return (
    <OperatorPage title="API keys" intro="Who may call the service, from where, and how much they use it.">
      <KeyPanels />
    </OperatorPage>
  )
}

/** Shows all keys of the service with their usage in a month, and one key in detail. */
function KeyPanels() {
  const refreshKeys = useRefreshKeys()
  const [current] = useState(() => toMonth(Date.now()))
  const [month, setMonth] = useState(current)
  const [isCreating, setIsCreating] = useState(false)
  const [order, setOrder] = useState<Order>({ column: 'calls', isAscending: false })
  const [selectedId, setSelectedId] = useState<string>()
  const { data, error, errorUpdatedAt, isFetching } = useQuery(toStatsQuery(useAdmin(), month))
  const { data: details } = useKeys()
  const keys = sortKeys(data?.keys ?? [], order)
  // The first key by default.
  const selected = keys.find(({ id }) => id === selectedId) ?? keys[0]
  const months = listMonthsSince(findOldest(data) ?? month, current)
  return (
    <>
      <Panel
        title="All keys"
        actions={
          <Button variant="primary" size="small" onClick={() => setIsCreating(true)}>
            Create API key
          </Button>
        }
      >
        <Stack>
          <div className={styles['tools']}>
            <MonthSelect label="Month of the usage of all keys" months={months} value={month} onChange={setMonth} />
            <Button size="small" isBusy={isFetching} onClick={() => void refreshKeys()}>
              Refresh
            </Button>
            <CsvButton name={`agio-keys-${month}.csv`} rows={toKeyRows(keys)}>
              Download CSV
            </CsvButton>
          </div>
          {error && <AdminErrorNotice error={error} at={errorUpdatedAt} />}
          {data ? <KeyTotals stats={data} details={details} /> : !error && <LoadingKeys />}
          {data && keys.length > 0 && (
            <KeyTable
              {...{ keys, details, month, order, setOrder }}
              selectedId={selected?.id}
              onSelect={setSelectedId}
            />
          )}
          {data?.keys.length === 0 && <Notice title="No API keys yet">Create one to let a client call the API.</Notice>}
        </Stack>
      </Panel>
      {selected && <KeyPanel key={selected.id} stats={selected} month={month} />}
      {isCreating && <CreateKeyDialog onClose={() => setIsCreating(false)} onCreated={setSelectedId} />}
    </>
  )
}

function KeyTotals({ stats: { totals }, details }: KeyTotalsProps) {
  const now = useNow(60_000)
  const keys = details && [...details.values()]
  const active = keys?.filter((key) => isActive(key, now)).length
  const revoked = keys?.filter(({ revokedAt }) => revokedAt !== undefined).length
  return (
    <Totals
      values={{
        Calls: Decimal.format(String(totals.calls)),
        Refused: Decimal.format(String(totals.refused)),
        'Active keys': active ?? '–',
        'Expired keys': keys ? keys.length - (active ?? 0) - (revoked ?? 0) : '–',
        'Revoked keys': revoked ?? '–',
      }}
    />
  )
}

type KeyTotalsProps = { readonly stats: AdminStats; readonly details: ReadonlyMap<string, ApiKey> | undefined }

function LoadingKeys() {
  return (
    <div className={styles['loading']}>
      <Skeleton width="12rem" label="Loading the keys" />
    </div>
  )
}

function findOldest(stats: AdminStats | undefined): string | undefined {
  return stats?.keys.map(({ createdAt }: KeyStats) => createdAt).toSorted()[0]
}

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
function KeyTable({ keys, details, month, order, setOrder, selectedId, onSelect }: KeyTable.Props) {
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

declare namespace KeyTable {
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
