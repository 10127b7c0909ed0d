import { assertPortFree } from './assertPortFree.ts'

/** The first of two consecutive ports that nobody uses, for tests that need to know them beforehand. */
export async function findFreePorts(from = 20_000): Promise<number> {
  try {
    await assertPortFree(from)
    await assertPortFree(from + 1)
    return from
  } catch {
    return await findFreePorts(from + 2)
  }
}
