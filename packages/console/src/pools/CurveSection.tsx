import { findAgioError } from '@agio/react/internal'
import type { PoolDetails } from '@agio/sdk'
import { useId, useState } from 'react'
import { ErrorNotice } from '../errors/ErrorNotice.tsx'
import { CurvePanel } from './CurvePanel.tsx'
import type { SizeAxis } from './CurvePlot.tsx'
import styles from './pools.module.css'
import { useEvenLadders, type usePool } from './usePool.ts'
import { Button } from '../ui/Button.tsx'
import { Stack } from '../ui/Page.tsx'
import { FlipIcon } from '../ui/icons.tsx'

/**
 * Shows the curve of one direction, and switches to the other. A pool with its own curve bends at large sizes, so its axis is linear by
 * default.
 */
export function CurveSection({ pool, ladders, isBent }: CurveSection.Props) {
  const [chosen, setAxis] = useState<SizeAxis>()
  const axis = chosen ?? (isBent ? 'linear' : 'log')
  const even = useEvenLadders(pool, axis === 'linear' ? ladders.map(({ data }) => data) : [])
  const [forward, back] = [even[0] ?? ladders[0], even[1] ?? ladders[1]]
  const error = findCommonError(ladders)
  const [direction, setDirection] = useState<'forward' | 'back'>('forward')
  const isForward = direction === 'forward'
  return (
    <section aria-labelledby="curves">
      <Stack>
        <header className={styles['header']}>
          <h2 id="curves">Rate by size</h2>
          <AxisChoice axis={axis} onChange={setAxis} />
        </header>
        {error !== undefined && (
          <ErrorNotice
            error={error}
            at={ladders[0].errorUpdatedAt}
            isRepeated
            actions={
              <Button size="small" onClick={() => ladders.forEach(({ refetch }) => void refetch())}>
                Try again
              </Button>
            }
          />
        )}
        {(error === undefined || forward.data || back.data) && (
          <CurvePanel
            key={direction}
            tokenIn={isForward ? pool.token0 : pool.token1}
            tokenOut={isForward ? pool.token1 : pool.token0}
            axis={axis}
            query={isForward ? forward : back}
            isErrorShown={error !== undefined}
            actions={
              <Button size="small" icon={<FlipIcon />} onClick={() => setDirection(isForward ? 'back' : 'forward')}>
                Other direction
              </Button>
            }
          />
        )}
      </Stack>{' '}
    </section>
  )
}

export declare namespace CurveSection {
  type Props = {
    readonly pool: PoolDetails
    readonly ladders: ReturnType<typeof usePool>['ladders']
    /** Whether the pool has its own curve. */
    readonly isBent: boolean
  }
}

/** Returns the error of both directions if it is the same, so that it is shown once. */
function findCommonError([first, second]: CurveSection.Props['ladders']): unknown {
  const [code, otherCode] = [first, second].map(({ error }) => findAgioError(error)?.code)
  return code !== undefined && code === otherCode ? first.error : undefined
}

const names = { log: 'Log', linear: 'Linear' } as const

/** The choice between a logarithmic and a linear size axis. */
function AxisChoice({ axis, onChange }: AxisChoice.Props) {
  const group = useId()
  return (
    <fieldset className={styles['choice']}>
      <legend>Scale</legend>
      {(['log', 'linear'] as const).map((option) => (
        <label key={option}>
          <input type="radio" name={group} checked={option === axis} onChange={() => onChange(option)} />
          {names[option]}
        </label>
      ))}
    </fieldset>
  )
}

declare namespace AxisChoice {
  type Props = { readonly axis: SizeAxis; readonly onChange: (axis: SizeAxis) => void }
}
