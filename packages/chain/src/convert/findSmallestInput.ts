import { isLimit, type Outcome } from './viewOutcome.ts'

/** The number of inputs in one round. The gas of one call suffices for their views. */
const inputsPerRound = 32

/** The number of inputs in a round that are close to the aim, on each side of it. */
const inputsPerSide = 8

/** An output of this many times the oracle value is impossible. */
const maxPayoutMultiple = 10n

/**
 * Finds the smallest input that pays an output, in rounds. Each round views many inputs together. They divide the
 * remaining interval evenly, and more finely around the aim: the input that the previous outcomes suggest.
 *
 * If a larger input does not always pay more, the found input still pays the output, and one unit less does not.
 *
 * @param view returns the outcomes of inputs, in the order of the inputs
 * @returns the input and its output; if no input pays enough, the smallest refused input that was viewed, with its
 * error
 */
export async function findSmallestInput(
  view: (inputsRaw: readonly bigint[]) => Promise<readonly Outcome[]>,
  options: findSmallestInput.Options,
): Promise<findSmallestInput.Found> {
  let bracket: Bracket = {
    low: { inputRaw: 0n, outcome: 0n },
    high: { inputRaw: options.beyondRaw, outcome: undefined },
  }
  let aim: Aim = { inputRaw: options.guessRaw, withinRaw: 1n }
  while (isOpen(bracket, options)) {
    const inputsRaw = chooseInputs(bracket, aim)
    const outcomes = await view(inputsRaw)
    const points = inputsRaw.map((inputRaw, index) => ({ inputRaw, outcome: outcomes[index] ?? 0n }))
    bracket = narrow(bracket, points, options)
    aim = interpolate(bracket, options)
  }
  return bracket.high
}

export declare namespace findSmallestInput {
  type Options = {
    /** The output to pay, in raw units of the last token. */
    readonly outputRaw: bigint
    /** An estimate of the input that pays the output. */
    readonly guessRaw: bigint
    /** An input above every limit. */
    readonly beyondRaw: bigint
    /** Returns the value of an input at the oracle prices, in raw units of the last token. */
    readonly valueOf: (inputRaw: bigint) => bigint
  }
  type Found = {
    readonly inputRaw: bigint
    /** Undefined for an input beyond every limit, which was not viewed. */
    readonly outcome: Outcome | undefined
  }
}

type Point = findSmallestInput.Found

/** An input that pays too little, and a larger input that pays enough or is refused. */
type Bracket = { readonly low: Point; readonly high: Point }

/** The expected position of the smallest input, and the precision of this estimate. */
type Aim = { readonly inputRaw: bigint; readonly withinRaw: bigint }

/** Returns whether an input between the two points may pay enough. */
function isOpen({ low, high }: Bracket, { outputRaw, valueOf }: findSmallestInput.Options): boolean {
  const widthRaw = high.inputRaw - low.inputRaw
  if (widthRaw === 1n) return false
  return (
    findOutput(high) !== undefined ||
    (findOutput(low) ?? 0n) + maxPayoutMultiple * (valueOf(widthRaw) + 1n) >= outputRaw
  )
}

/** Returns the adjacent points between which the outcome first becomes sufficient. */
function narrow({ low, high }: Bracket, points: readonly Point[], options: findSmallestInput.Options): Bracket {
  const found = points.findIndex((point) => !isTooSmall(point, options))
  const index = found === -1 ? points.length : found
  return { low: points[index - 1] ?? low, high: points[index] ?? high }
}

function isTooSmall({ inputRaw, outcome }: Point, { outputRaw, guessRaw }: findSmallestInput.Options): boolean {
  if (typeof outcome === 'bigint') return outcome < outputRaw
  if (outcome === undefined || isLimit(outcome)) return false
  // A revert for another reason does not show whether the input is too small. The guess decides.
  return outcome.code === 'svc/amount-too-small' || inputRaw < guessRaw
}

/** Returns the output of a point; undefined if its input is refused. */
function findOutput({ outcome }: Point): bigint | undefined {
  return typeof outcome === 'bigint' ? outcome : undefined
}

/**
 * Estimates the input that pays the output by a straight line through the bracket. If the upper end is beyond a limit,
 * the oracle prices are used.
 */
function interpolate({ low, high }: Bracket, { outputRaw, valueOf }: findSmallestInput.Options): Aim {
  const [widthRaw, lowOutputRaw] = [high.inputRaw - low.inputRaw, findOutput(low) ?? 0n]
  const riseRaw = findOutput(high) === undefined ? valueOf(widthRaw) : (findOutput(high) ?? 0n) - lowOutputRaw
  if (riseRaw <= 0n) return { inputRaw: low.inputRaw + widthRaw / 2n, withinRaw: widthRaw }
  const inputRaw = low.inputRaw + ((outputRaw - lowOutputRaw) * widthRaw) / riseRaw
  return { inputRaw, withinRaw: widthRaw / (4n * riseRaw) + 1n }
}

/**
 * Returns the inputs of a round, in ascending order: all remaining inputs, or some around the aim and the rest evenly
 * spaced.
 */
function chooseInputs({ low, high }: Bracket, aim: Aim): readonly bigint[] {
  const [lowRaw, countRaw] = [low.inputRaw, high.inputRaw - low.inputRaw - 1n]
  if (countRaw <= BigInt(inputsPerRound)) return countUp(Number(countRaw)).map((step) => lowRaw + 1n + step)
  const near = listDistances(countRaw, aim.withinRaw).flatMap((raw) => [aim.inputRaw - raw, aim.inputRaw + raw])
  const chosen = new Set([aim.inputRaw, ...near].filter((raw) => raw > lowRaw && raw < high.inputRaw))
  const even = inputsPerRound - chosen.size
  for (const step of countUp(even)) chosen.add(lowRaw + ((step + 1n) * (countRaw + 1n)) / BigInt(even + 1))
  return [...chosen].sort((a, b) => (a < b ? -1 : 1))
}

/** Lists distances from `withinRaw` to `widthRaw`, which are denser at the beginning. */
function listDistances(widthRaw: bigint, withinRaw: bigint): readonly bigint[] {
  const [bits, last] = [BigInt((widthRaw / withinRaw).toString(2).length), BigInt(inputsPerSide - 1)]
  return countUp(inputsPerSide).map((step) => withinRaw << ((bits * step * step) / (last * last)))
}

function countUp(count: number): readonly bigint[] {
  return Array.from({ length: count }, (_, index) => BigInt(index))
}
