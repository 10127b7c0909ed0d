import { Decimal, findAgioError } from '@agio/react/internal'
import styles from './UsagePage.module.css'
import type { OwnUsage } from '@agio/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorNotice } from '../errors/ErrorNotice.tsx'
import { keyCodes } from '../service/keyCodes.ts'
import { trpc } from '../service/trpc.ts'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { MonthSelect } from './calls/MonthSelect.tsx'
import { listMonths, toMonth, type Month } from './calls/months.ts'
import { MonthUsage } from './calls/MonthUsage.tsx'
import { chooseSeries, groupBySeries } from './calls/stackDays.ts'
import { Totals } from './calls/Totals.tsx'
import { CurrentKey } from './currentKey/CurrentKey.tsx'
import { AdminKeyForm } from './keys/AdminKeyForm.tsx'
import { KeyPanels } from './keys/KeyPanels.tsx'

/** The usage page: the usage and the limits of the page's API key, and the keys of the service for operators. */
export function UsagePage() {
  return (
    <div className={styles['page']}>
      <h1>Usage and keys</h1>
      <KeyUsage />
      <OperatorKeys />
    </div>
  )
}

const maxSeries = 6
const listedMonths = 12

/**
 * Shows the page's API key with its remaining limits, and its calls in a month. Each read counts as a call of the key,
 * so nothing is polled.
 */
function KeyUsage() {
  const [current] = useState(() => toMonth(Date.now()))
  const [month, setMonth] = useState(current)
  const currentUsage = useUsage(current)
  const monthUsage = useUsage(month)
  const hasKey = useSession(({ apiKey }) => apiKey !== '')
  // A revoked key has no calls left.
  const isRefused = keyCodes.has(findAgioError(currentUsage.error)?.code ?? '')
  const refresh = () => void Promise.all([monthUsage.refetch(), month !== current && currentUsage.refetch()])
  return (
    <>
      <CurrentKey usage={isRefused ? undefined : currentUsage.data} isLoading={currentUsage.isLoading} />
      {hasKey && (
        <Panel
          title="Calls of this key"
          actions={
            <>
              <MonthSelect
                label="Month of the calls of this key"
                months={listMonths(current, listedMonths)}
                value={month}
                onChange={setMonth}
              />
              <Button isBusy={monthUsage.isFetching} onClick={refresh}>
                Refresh
              </Button>
            </>
          }
        >
          {monthUsage.error && (
            <div className={styles['notice']}>
              <ErrorNotice error={monthUsage.error} at={monthUsage.errorUpdatedAt} />
            </div>
          )}
          {monthUsage.data ? <Calls usage={monthUsage.data} month={month} /> : monthUsage.isLoading && <LoadingCalls />}
        </Panel>
      )}
    </>
  )
}

function useUsage(month: Month) {
  const hasKey = useSession(({ apiKey }) => apiKey !== '')
  return useQuery({ ...trpc.usage.get.queryOptions({ month }), enabled: hasKey })
}

function Calls({ usage: { calls, refused, callsByOperation, days }, month }: CallsProps) {
  const series = chooseSeries(callsByOperation, maxSeries)
  const counted = days.reduce((total, day) => total + day.calls, 0)
  const daysBySeries = days.map((day) => ({ ...day, callsBySeries: groupBySeries(day.callsByOperation, series) }))
  return (
    <>
      <Totals
        values={{
          Calls: Decimal.format(String(calls)),
          Refused: Decimal.format(String(refused)),
          Operations: Object.keys(callsByOperation).length,
        }}
      />
      {counted < calls && <UndatedCalls count={calls - counted} />}
      <MonthUsage of="this key" days={daysBySeries} {...{ month, series, callsByOperation }} />
    </>
  )
}

type CallsProps = { readonly usage: OwnUsage; readonly month: Month }

/** Explains calls from an older version of the service, which did not count by day. */
function UndatedCalls({ count }: { readonly count: number }) {
  return (
    <div className={styles['notice']}>
      <Notice>
        {Decimal.format(String(count))} of these calls were made before the service counted by day. They are not
        included in the days.
      </Notice>
    </div>
  )
}

function LoadingCalls() {
  return (
    <div className={styles['loading']}>
      <Skeleton width="12rem" label="Loading the calls of this key" />
    </div>
  )
}

/** Shows the keys of the service to operators, or the form for the admin key. */
function OperatorKeys() {
  const hasKey = useSession(({ adminKey }) => adminKey !== '')
  return hasKey ? <KeyPanels /> : <AdminKeyForm />
}
