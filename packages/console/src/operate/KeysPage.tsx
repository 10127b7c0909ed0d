import { Decimal, useNow } from '@agio/react/internal'
import type { AdminStats, ApiKey, KeyStats } from '@agio/sdk/admin'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AdminErrorNotice, OperatorPage } from './AdminKeyForm.tsx'
import { CreateKeyDialog } from './KeyForm.tsx'
import { KeyPanel } from './KeyPanel.tsx'
import { KeyTable } from './KeyTable.tsx'
import { type Order, isActive, sortKeys, toKeyRows } from './keyList.ts'
import styles from './operate.module.css'
import { refreshKeys, toStatsQuery, useAdmin, useKeys } from './useAdmin.ts'
import { Button } from '../ui/Button.tsx'
import { downloadCsv, toCsv } from '../ui/csv.ts'
import { Totals } from '../ui/Facts.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Stack } from '../ui/Page.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { MonthSelect } from '../usage/MonthUsage.tsx'
import { listMonthsSince, toMonth } from '../usage/months.ts'

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
            <Button
              size="small"
              aria-disabled={keys.length === 0}
              onClick={() => keys.length > 0 && downloadCsv(`agio-keys-${month}.csv`, toCsv(toKeyRows(keys)))}
            >
              Download CSV
            </Button>
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
