/**
 * Reads all pages of `admin.keys.list` or `admin.stats`. Returns the response of the first page, with the keys of all
 * pages.
 *
 * @example
 * const { keys } = await readAllKeys((page) => admin.keys.list.query({ page }))
 */
export async function readAllKeys<List extends KeyList>(readPage: (page: number) => Promise<List>): Promise<List> {
  const first = await readPage(1)
  // By id, because a key that is created meanwhile moves others to a later page.
  const keys = new Map(first.keys.map((key) => [key.id, key]))
  let { pagination } = first
  for (let page = 2; (page - 1) * pagination.limit < pagination.total; page += 1) {
    const next = await readPage(page)
    const known = keys.size
    for (const key of next.keys) keys.set(key.id, key)
    // A service that repeats its keys would be read for ever.
    if (keys.size === known) break
    pagination = next.pagination
  }
  return { ...first, keys: [...keys.values()] }
}

/** A page of keys, as the service returns it. */
export type KeyList = {
  readonly keys: readonly { readonly id: string }[]
  readonly pagination: { readonly limit: number; readonly total: number }
}
