import { size, type AbiParameter, type Hex } from 'viem'

const wordSize = 32

// Contracts that leave out the padding of their last value, or that return one empty value twice, are within this allowance.
const allowanceBytes = 1024

/**
 * Returns whether data decodes to values of about its own size. The values of an encoding can share bytes, so that a few
 * kilobytes decode to gigabytes. Data from a node is decoded only after this check.
 */
export function decodesWithinSize(types: readonly AbiParameter[], data: Hex): boolean {
  return findEncodedSize(types, data) !== undefined
}

/**
 * Returns the size of the standard encoding of the values that data contains, in bytes. It reads the offsets and the lengths
 * only. Returns undefined if the data is too short, or if the size exceeds the size of the data by more than 1,024.
 */
export function findEncodedSize(types: readonly AbiParameter[], data: Hex): number | undefined {
  const dataBytes = size(data)
  let bytes = 0

  /** Adds the size of a value. Returns whether all values are still within the size of the data. */
  function add(valueBytes: number): boolean {
    bytes += valueBytes
    return bytes <= dataBytes + allowanceBytes
  }
  /** Returns NaN beyond the end of the data. */
  function readWord(position: number): number {
    if (!(position + wordSize <= dataBytes)) return Number.NaN
    return Number(`0x${data.slice(2 + 2 * position, 2 + 2 * (position + wordSize))}`)
  }
  function countTuple(components: readonly AbiParameter[], start: number): boolean {
    let position = start
    return components.every((component) => {
      const isWithin = countValue(component, position, start)
      position += layoutOf(component).staticSize ?? wordSize
      return isWithin
    })
  }
  function countElements(element: AbiParameter, length: number, start: number): boolean {
    const elementSize = layoutOf(element).staticSize
    if (elementSize !== undefined) return add(length * elementSize)
    for (let index = 0; index < length; index += 1)
      if (!countValue(element, start + index * wordSize, start)) return false
    return true
  }
  /** @param base the position from which the offset of a dynamic value counts */
  function countValue(type: AbiParameter, position: number, base: number): boolean {
    const { staticSize, array } = layoutOf(type)
    if (staticSize !== undefined) return position + staticSize <= dataBytes && add(staticSize)
    if (!add(wordSize)) return false
    const start = base + readWord(position)
    if (array?.length !== undefined) return countElements(array.element, array.length, start)
    if (!array && type.type === 'tuple') return countTuple(componentsOf(type), start)
    const length = readWord(start)
    if (Number.isNaN(length) || !add(wordSize)) return false
    if (array) return countElements(array.element, length, start + wordSize)
    return start + wordSize + length <= dataBytes && add(wordSize * Math.ceil(length / wordSize))
  }
  return countTuple(types, 0) ? bytes : undefined
}

/** What an encoding depends on. It is found once for each type, because a result has many values of one type. */
type Layout = {
  /** The size of a value whose encoding always has the same size, in bytes. */
  readonly staticSize: number | undefined
  readonly array: ArrayType | undefined
}

/** The length is undefined if the encoding contains it. */
type ArrayType = { readonly element: AbiParameter; readonly length: number | undefined }

const layouts = new WeakMap<AbiParameter, Layout>()

function layoutOf(type: AbiParameter): Layout {
  const known = layouts.get(type)
  if (known) return known
  const array = findArray(type)
  const layout = { staticSize: findStaticSize(type, array), array }
  layouts.set(type, layout)
  return layout
}

function findStaticSize(type: AbiParameter, array: ArrayType | undefined): number | undefined {
  if (array) {
    const elementSize = layoutOf(array.element).staticSize
    return array.length === undefined || elementSize === undefined ? undefined : array.length * elementSize
  }
  if (type.type === 'string' || type.type === 'bytes') return undefined
  if (type.type !== 'tuple') return wordSize
  const sizes = componentsOf(type).map((component) => layoutOf(component).staticSize)
  return sizes.reduce((sum, each) => (sum === undefined || each === undefined ? undefined : sum + each), 0)
}

function componentsOf(type: AbiParameter): readonly AbiParameter[] {
  return 'components' in type ? type.components : []
}

function findArray(type: AbiParameter): ArrayType | undefined {
  const match = /^(.*)\[(\d*)\]$/.exec(type.type)
  if (!match) return undefined
  const [, element = '', length = ''] = match
  return { element: { ...type, type: element }, length: length === '' ? undefined : Number(length) }
}
