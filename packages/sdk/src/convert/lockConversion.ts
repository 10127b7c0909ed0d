/**
 * Runs a conversion alone among all pages of an origin, and all threads of a process: where another one runs it, this one waits until
 * that has ended, and finds what it sent. Where there are no such locks, it runs at once.
 *
 * @throws the reason of the signal, should it be aborted while another one runs
 */
export async function lockConversion<Result>(
  conversionId: string,
  run: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const { locks } = (globalThis as { readonly navigator?: { readonly locks?: Locks } }).navigator ?? {}
  if (!locks) return await run()
  let hasBegun = false
  const begin = async () => {
    hasBegun = true
    return await run()
  }
  try {
    return await locks.request(`agio:${conversionId}`, signal ? { signal } : {}, begin)
  } catch (error) {
    // Pages in a sandbox have locks that refuse every request.
    if (hasBegun || signal?.aborted) throw error
    return await begin()
  }
}

/** The part of the Web Locks API that is used. */
type Locks = {
  request<Result>(name: string, options: { readonly signal?: AbortSignal }, run: () => Promise<Result>): Promise<Result>
}
