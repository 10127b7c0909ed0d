import { Decimal, useNow } from '@agio/react/internal'
import type { AdminStats, ApiKey, KeyStats } from '@agio/sdk/admin'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AdminErrorNotice, OperatorPage, refreshKeys, toStatsQuery, useAdmin, useKeys } from './AdminKeyForm.tsx'
import { CreateKeyDialog, EditKeyDialog } from './KeyForm.tsx'
import { type Order, isActive, KeyTable, listKeyBadges, sortKeys, toKeyRows } from './KeyTable.tsx'
import { EraseDialog, RevokeDialog, RotateDialog } from './keyDialogs.tsx'
import styles from './operate.module.css'
import { KeyTime } from '../time/Age.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Stack } from '../ui/Page.tsx'
import { Fact, Facts, Panel, Skeleton, Totals } from '../ui/Panel.tsx'
import { downloadCsv, toCsv } from '../ui/csv.ts'
import { MonthSelect, MonthUsage } from '../usage/MonthUsage.tsx'
import { type Month, formatPeriod, listMonthsSince, toMonth } from '../usage/months.ts'

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

const series = ['Calls']

/** Shows one key: its owner, its usage in a month, and the buttons that rotate and revoke it. */
export function KeyPanel({ stats, month }: KeyPanel.Props) {
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'revoke' | 'erase'>()
  const { id, name, tier, revokedAt, days, callsByOperation } = stats
  const isActive = revokedAt === undefined
  const key = useKeys().data?.get(id)
  const badges = listKeyBadges({ ...key, revokedAt }, useNow(60_000))
  const close = () => setDialog(undefined)
  const action = (kind: 'rotate' | 'revoke') => ({
    'aria-disabled': !isActive,
    onClick: () => isActive && setDialog(kind),
  })
  return (
    <Panel
      title={name}
      actions={
        // Kept after a revocation, because the dialog returns the focus to them.
        <>
          <Button size="small" aria-disabled={!key || !isActive} onClick={() => key && isActive && setDialog('edit')}>
            Edit
          </Button>
          <Button size="small" {...action('rotate')}>
            Rotate
          </Button>
          <Button size="small" variant="danger" {...action('revoke')}>
            Revoke
          </Button>
          {name !== '' && (
            <Button size="small" variant="danger" onClick={() => setDialog('erase')}>
              Erase
            </Button>
          )}
        </>
      }
    >
      <p className={styles['state']}>
        <Badge>{tier}</Badge>
        {badges.map(({ text, tone }) => (
          <Badge key={text} tone={tone}>
            {text}
          </Badge>
        ))}
      </p>
      <Owner stats={stats} />
      <MonthUsage
        of={name}
        month={month}
        series={series}
        days={days.map((day) => ({ ...day, callsBySeries: { Calls: day.calls } }))}
        callsByOperation={callsByOperation}
      />
      {dialog === 'edit' && key && <EditKeyDialog of={key} onClose={close} />}
      {dialog === 'erase' && <EraseDialog stats={stats} onClose={close} />}
      {dialog === 'rotate' && <RotateDialog stats={stats} onClose={close} />}
      {dialog === 'revoke' && <RevokeDialog stats={stats} onClose={close} />}
    </Panel>
  )
}

export declare namespace KeyPanel {
  type Props = { readonly stats: KeyStats; readonly month: Month }
}

/** Shows the details from the creation of the key. */
function Owner({ stats: { id, prefix, revokedAt } }: { readonly stats: KeyStats }) {
  const { data, error, errorUpdatedAt } = useKeys()
  const key = data?.get(id)
  if (error) return <AdminErrorNotice error={error} at={errorUpdatedAt} />
  const stated = (value: string | undefined) => (key ? (value ?? '–') : <Skeleton width="8rem" />)
  return (
    <Facts>
      <Fact name="Id">
        <code>{id}</code>
        <CopyButton text={id} label="Copy the id of the key" />
      </Fact>
      <Fact name="Secret begins with">
        <code>{prefix}</code>
      </Fact>
      <Fact name="Company">{stated(key?.company)}</Fact>
      <Fact name="Email">{stated(key?.email)}</Fact>
      <Fact name="Use">{stated(key?.useCase)}</Fact>
      <Fact name="Expected volume">{stated(key?.expectedVolume)}</Fact>
      {key?.limits && <Fact name="Limits">{formatLimits(key.limits)}</Fact>}
      {key && <Fact name="Kind">{key.kind === 'publishable' ? 'Publishable' : 'Secret'}</Fact>}
      {key && <Fact name="Scopes">{key.scopes?.join(', ') ?? 'All'}</Fact>}
      {key && <Fact name="Web pages">{key.allowedOrigins?.join(', ') ?? 'Any origin'}</Fact>}
      {key && (
        <Fact name="Networks">
          {key.allowedCidrs?.join(', ') ?? 'Any address'}{' '}
          {key.isCidrDryRun === true && <Badge tone="warning">Dry run</Badge>}
        </Fact>
      )}
      {key?.expiresAt !== undefined && (
        <Fact name="Expires">
          <KeyTime at={key.expiresAt} hasTime />
        </Fact>
      )}
      {revokedAt !== undefined && (
        <Fact name="Revoked">
          <KeyTime at={revokedAt} hasTime />
        </Fact>
      )}
    </Facts>
  )
}

function formatLimits({ requests, windowSeconds, burstPerSecond, monthlyQuota }: NonNullable<ApiKey['limits']>) {
  const rate = `${Decimal.format(String(requests))} per ${formatPeriod(windowSeconds)}`
  return `${rate}, ${Decimal.format(String(burstPerSecond))} per second, ${Decimal.format(String(monthlyQuota))} per month`
}
