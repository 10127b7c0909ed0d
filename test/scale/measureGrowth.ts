import { recordTrial } from '../long/trials.ts'

/**
 * Measures figures at growing sizes, prints them with the exponent of growth of each figure, and adds them to the report of the
 * trials. An exponent of 0 does not grow, 1 grows like the size, 2 like its square.
 */
export async function measureGrowth<Figure extends string>({ subject, sizes, measure }: Options<Figure>) {
  const rows: { readonly size: number; readonly figures: Figures<Figure> }[] = []
  for (const size of sizes) rows.push({ size, figures: await measure(size) })
  const names = Object.keys(rows[0]?.figures ?? {}) as Figure[]
  const exponentOf = (name: Figure) => findExponent(rows.map(({ size, figures }) => [size, figures[name]] as const))
  /** The exponent of each figure, by least squares on the logarithms. */
  const exponents = Object.fromEntries(names.map((name) => [name, exponentOf(name)])) as Figures<Figure>
  const results = names.map((name) => {
    const values = rows.map(({ figures }) => Number(figures[name].toPrecision(3)).toLocaleString('en'))
    return `${name}: ${values.join(', ')} (exponent ${Number(exponents[name].toFixed(2))})`
  })
  const tried = sizes.map((size) => size.toLocaleString('en')).join(', then ')
  console.log(`\nGrowth with ${subject}: ${tried}\n${results.join('\n')}`)
  recordTrial({ trial: `Growth with ${subject}`, tried, result: results.join('; ') })
  return { rows, exponents }
}

type Options<Figure extends string> = {
  /** The items whose number grows, such as `keys`. */
  readonly subject: string
  /** The numbers of items, in ascending order. */
  readonly sizes: readonly number[]
  /** Returns the figures at a number of items. */
  readonly measure: (size: number) => Promise<Figures<Figure>>
}

type Figures<Figure extends string> = Readonly<Record<Figure, number>>

/** Returns the slope of the line through the logarithms of points, by least squares. Points that are not above 0 are ignored. */
function findExponent(points: readonly (readonly [size: number, value: number])[]): number {
  const logs = points
    .filter(([, value]) => value > 0)
    .map(([size, value]) => [Math.log(size), Math.log(value)] as const)
  const meanX = mean(logs.map(([x]) => x))
  const meanY = mean(logs.map(([, y]) => y))
  const covariance = mean(logs.map(([x, y]) => (x - meanX) * (y - meanY)))
  return covariance / mean(logs.map(([x]) => (x - meanX) ** 2))
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
