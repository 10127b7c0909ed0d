import { recordTrial } from '../long/trials.ts'

/**
 * Measures figures at growing sizes, prints a table with the exponent of growth of each figure, and adds it to the report of the
 * trials. An exponent of 0 does not grow, 1 grows like the size, 2 like its square.
 */
export async function measureGrowth<Figure extends string>({
  subject,
  sizes,
  measure,
}: Options<Figure>): Promise<Growth<Figure>> {
  const rows: { readonly size: number; readonly figures: Figures<Figure> }[] = []
  for (const size of sizes) rows.push({ size, figures: await measure(size) })
  const names = Object.keys(rows[0]?.figures ?? {}) as Figure[]
  const exponents = toRecord(names, (name) =>
    findExponent(rows.map(({ size, figures }) => [size, figures[name]] as const)),
  )
  console.log(`\nGrowth with ${subject}:`)
  console.table([
    ...rows.map(({ size, figures }) => ({
      [subject]: size.toLocaleString('en'),
      ...toRecord(names, (name) => round(figures[name])),
    })),
    { [subject]: 'exponent', ...toRecord(names, (name) => exponents[name].toFixed(2)) },
  ])
  const result = names.map((name) => {
    const values = rows.map(({ figures }) => round(figures[name]).toLocaleString('en'))
    return `${name}: ${values.join(', ')} (exponent ${Number(exponents[name].toFixed(2))})`
  })
  const tried = rows.map(({ size }) => size.toLocaleString('en'))
  recordTrial({ trial: `Growth with ${subject}`, tried: tried.join(', then '), result: result.join('; ') })
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

export type Growth<Figure extends string> = {
  readonly rows: readonly { readonly size: number; readonly figures: Figures<Figure> }[]
  /** The exponent of each figure, by least squares on the logarithms. */
  readonly exponents: Figures<Figure>
}

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

function toRecord<Name extends string, Value>(names: readonly Name[], create: (name: Name) => Value) {
  return Object.fromEntries(names.map((name) => [name, create(name)])) as Record<Name, Value>
}

function round(value: number): number {
  return Number(value.toPrecision(3))
}
