import type { OwnUsage } from '@agio/sdk'
import { formatAmount } from '../../amount/formatAmount.ts'
import { useCalls } from '../../service/calls.ts'
import { formatDuration } from '../../time/formatDuration.ts'
import { useNow } from '../../time/useNow.ts'
import { formatPeriod } from '../calls/formatPeriod.ts'
import { endOfMonth } from '../calls/months.ts'
import styles from './Limits.module.css'
import { toWindowState } from './toWindowState.ts'

/** What is left of the rate, the burst and the quota of the key, counting down to their resets. */
export function Limits({ usage }: { readonly usage: OwnUsage }) {
  const { limits, quota, remaining, month } = usage
  if (!limits || quota === undefined || remaining === undefined) {
    return <p className={styles['none']}>This key has no limits: it is for development on one machine.</p>
  }
  return (
    <div className={styles['limits']}>
      <Rates />
      <Quota {...{ quota, remaining, month }} />
    </div>
  )
}

/** The windows of the key, as its last response reported them. */
function Rates() {
  const { limits = [], limitsAt } = useCalls()
  const elapsedMs = useNow() - limitsAt
  return limits.map((window) => {
    const { remaining, resetsInSeconds } = toWindowState(window, elapsedMs)
    return (
      <Meter
        key={window.name}
        name={window.name === 'burst' ? 'Burst' : 'Rate'}
        limit={window.limit}
        remaining={remaining}
        per={formatPeriod(window.windowSeconds)}
        reset={
          resetsInSeconds === undefined ? 'Nothing of it is used' : `Full again in ${formatDuration(resetsInSeconds)}`
        }
      />
    )
  })
}

function Quota({ quota, remaining, month }: QuotaProps) {
  const seconds = (endOfMonth(month) - useNow()) / 1000
  return (
    <Meter
      name="Quota"
      limit={quota}
      remaining={remaining}
      per="month"
      reset={`Full again in ${formatDuration(seconds)}`}
    />
  )
}

type QuotaProps = { readonly quota: number; readonly remaining: number; readonly month: string }

function Meter({ name, limit, remaining, per, reset }: MeterProps) {
  const left = `${formatAmount(String(remaining))} of ${formatAmount(String(limit))} left`
  return (
    <div className={styles['meter']}>
      <p className={styles['name']}>
        {name} <span>per {per}</span>
      </p>
      <p className={styles['left']}>{left}</p>
      <meter
        aria-label={name}
        aria-valuetext={left}
        max={limit}
        low={limit / 10}
        optimum={limit}
        value={remaining}
        className={styles['bar']}
      />
      <p className={styles['reset']}>{reset}</p>
    </div>
  )
}

type MeterProps = {
  readonly name: string
  /** Calls in the period. */
  readonly limit: number
  readonly remaining: number
  /** The period. */
  readonly per: string
  readonly reset: string
}
