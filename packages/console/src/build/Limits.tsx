import { Decimal, useNow } from '@agio/react/internal'
import type { OwnUsage } from '@agio/sdk'
import styles from './build.module.css'
import { type RateWindow } from '../service/calls.ts'
import { useCalls } from '../service/useCalls.ts'
import { formatDuration } from '../time/formatDuration.ts'
import { endOfMonth, formatPeriod } from '../usage/months.ts'

/** Shows the remaining rate, burst, node requests and quota of the key, with countdowns to their resets. */
export function Limits({ usage }: { readonly usage: OwnUsage }) {
  const { limits, quota, remaining, month } = usage
  if (!limits || quota === undefined || remaining === undefined) {
    return <p className={styles['none']}>This key has no limits. It is for local development.</p>
  }
  return (
    <div className={styles['limits']}>
      <Rates />
      <Quota {...{ quota, remaining, month }} />
    </div>
  )
}

// The window of the rate has the name of the tier.
const meterNames: Readonly<Record<string, string>> = { burst: 'Burst', nodes: 'Node requests' }

/** Shows the windows of the key from its last response. */
function Rates() {
  const { limits = [], limitsAt } = useCalls()
  const elapsedMs = useNow() - limitsAt
  return limits.map((window) => {
    const { remaining, resetsInSeconds } = toWindowState(window, elapsedMs)
    return (
      <Meter
        key={window.name}
        name={meterNames[window.name] ?? 'Rate'}
        limit={window.limit}
        remaining={remaining}
        per={formatPeriod(window.windowSeconds)}
        reset={resetsInSeconds === undefined ? 'Unused' : `Resets in ${formatDuration(resetsInSeconds)}`}
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
      reset={`Resets in ${formatDuration(seconds)}`}
    />
  )
}

type QuotaProps = { readonly quota: number; readonly remaining: number; readonly month: string }

function Meter({ name, limit, remaining, per, reset }: MeterProps) {
  const left = `${Decimal.format(String(remaining))} of ${Decimal.format(String(limit))} left`
  return (
    <div>
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
  /** Allowed calls in the period. */
  readonly limit: number
  readonly remaining: number
  /** Name of the period. */
  readonly per: string
  readonly reset: string
}

/**
 * Returns the state of a window some time after the service has reported it. A window starts with a call, so it is full
 * after its end until the next call.
 */
export function toWindowState({ limit, remaining, resetSeconds }: RateWindow, elapsedMs: number): WindowState {
  const secondsLeft = Math.ceil(resetSeconds - elapsedMs / 1000)
  if (secondsLeft <= 0 || remaining >= limit) return { remaining: secondsLeft <= 0 ? limit : remaining }
  return { remaining, resetsInSeconds: secondsLeft }
}

type WindowState = {
  readonly remaining: number
  /** Undefined while the window is unused. */
  readonly resetsInSeconds?: number
}
