import type { OwnUsage as Usage } from '@agio/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatAmount } from '../../amount/formatAmount.ts'
import { ErrorNotice } from '../../errors/ErrorNotice.tsx'
import { trpc } from '../../service/trpc.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { MonthSelect } from '../calls/MonthSelect.tsx'
import { listMonths, toMonth, type Month } from '../calls/months.ts'
import { MonthUsage } from '../calls/MonthUsage.tsx'
import { chooseSeries, groupBySeries } from '../calls/stackDays.ts'
import { Totals } from '../calls/Totals.tsx'
import { OwnKey } from './OwnKey.tsx'
import styles from './OwnUsage.module.css'

const maxSeries = 6
const shownMonths = 12

/**
 * Shows the page's API key with its remaining limits, and its calls in a month. Each read counts as a call of the key,
 * so nothing is polled.
 */
export function OwnUsage() {
  const [current] = useState(() => toMonth(Date.now()))
  const [month, setMonth] = useState(current)
  const now = useUsage(current)
  const shown = useUsage(month)
  const hasKey = useSession(({ apiKey }) => apiKey !== '')
  const refresh = () => void Promise.all([shown.refetch(), month !== current && now.refetch()])
  return (
    <>
      <OwnKey usage={now.data} isLoading={now.isLoading} />
      {hasKey && (
        <Panel
          title="Calls of this key"
          actions={
            <>
              <MonthSelect
                label="Month of the calls of this key"
                months={listMonths(current, shownMonths)}
                value={month}
                onChange={setMonth}
              />
              <Button isBusy={shown.isFetching} onClick={refresh}>
                Refresh
              </Button>
            </>
          }
        >
          {shown.error && (
            <div className={styles['notice']}>
              <ErrorNotice error={shown.error} at={shown.errorUpdatedAt} />
            </div>
          )}
          {shown.data ? <Calls usage={shown.data} month={month} /> : shown.isLoading && <LoadingCalls />}
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
  const shownDays = days.map((day) => ({ ...day, callsBySeries: groupBySeries(day.callsByOperation, series) }))
  return (
    <>
      <Totals
        values={{
          Calls: formatAmount(String(calls)),
          Refused: formatAmount(String(refused)),
          Operations: Object.keys(callsByOperation).length,
        }}
      />
      {counted < calls && <UndatedCalls count={calls - counted} />}
      <MonthUsage of="this key" days={shownDays} {...{ month, series, callsByOperation }} />
    </>
  )
}

type CallsProps = { readonly usage: Usage; readonly month: Month }

/** Explains calls from an older version of the service, which did not count by day. */
function UndatedCalls({ count }: { readonly count: number }) {
  return (
    <div className={styles['notice']}>
      <Notice>
        {formatAmount(String(count))} of these calls were made before the service counted by day. They are not included
        in the days.
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
