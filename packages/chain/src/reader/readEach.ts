import { classifyError } from '../errors/classifyError.ts'

/**
 * Reads many items in one call. If that call itself fails, as when one contract uses up the gas of all, each item is read in a
 * call of its own, and one whose own call fails is undefined.
 *
 * @param read the results of one call, in the order of its items
 * @throws the error of a node that could not answer
 */
export async function readEach<Item, Result>(
  items: readonly Item[],
  read: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<readonly (Result | undefined)[]> {
  try {
    return await read(items)
  } catch (error) {
    if (!classifyError(error, 'eth_call').lacksGas) throw error
    if (items.length === 1) return [undefined]
    return (await Promise.all(items.map((item) => readEach([item], read)))).flat()
  }
}
