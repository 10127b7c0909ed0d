import { findAgioError } from '@agio/react/internal'
import type { PoolDetails } from '@agio/sdk'
import { useState } from 'react'
import { ErrorNotice } from '../errors/ErrorNotice.tsx'
import { Button } from '../ui/Button.tsx'
import { AxisChoice } from './AxisChoice.tsx'
import type { SizeAxis } from './createSizeScale.ts'
import { CurvePanel } from './CurvePanel.tsx'
import styles from './CurveSection.module.css'
import { useEvenLadders, type usePool } from './usePool.ts'

/**
 * Shows the curves of both directions. A pool with its own curve bends at large sizes, so its axis is linear by
 * default.
 */
export function CurveSection({ pool, ladders, isBent }: CurveSection.Props) {
  const [chosen, setAxis] = useState<SizeAxis>()
  const axis = chosen ?? (isBent ? 'linear' : 'log')
  const even = useEvenLadders(pool, axis === 'linear' ? ladders.map(({ data }) => data) : [])
  const [forward, back] = [even[0] ?? ladders[0], even[1] ?? ladders[1]]
  const error = findCommonError(ladders)
  return (
    <section className={styles['section']} aria-labelledby="curves">
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
        <div className={styles['columns']}>
          <CurvePanel
            tokenIn={pool.token0}
            tokenOut={pool.token1}
            axis={axis}
            query={forward}
            isErrorShown={error !== undefined}
          />
          <CurvePanel
            tokenIn={pool.token1}
            tokenOut={pool.token0}
            axis={axis}
            query={back}
            isErrorShown={error !== undefined}
          />
        </div>
      )}
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
