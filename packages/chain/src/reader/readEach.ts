import { classifyError } from '../errors/classifyError.ts'

/**
 * Reads many items in one call. If that call fails, for example because one contract uses up all gas, each item is read
 * in a separate call. The result of an item whose separate call fails is undefined.
 *
 * @param read returns the results of one call, in the order of its items
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
