import { Decimal } from '@agio/react/internal'
import { scaleLinear } from 'd3-scale'

/** Lists about `count` round values of a linear axis with their labels: `-0.05`, `20`, `50k`. */
export function listTicks({ from, to }: listTicks.Range, count: number): readonly listTicks.Tick[] {
  const scale = scaleLinear([from, to], [0, 1])
  const format = scale.tickFormat(count, chooseFormat(Math.max(Math.abs(from), Math.abs(to))))
  return scale.ticks(count).map((value) => ({ value, label: value === 0 ? '0' : Decimal.localize(format(value)) }))
}

export declare namespace listTicks {
  type Range = { readonly from: number; readonly to: number }
  type Tick = { readonly value: number; readonly label: string }
}

function chooseFormat(largest: number): string {
  if (largest >= 1000) return '~s'
  return largest < 1e-7 ? '~e' : '~f'
}
