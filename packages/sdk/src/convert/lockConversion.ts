/**
 * Runs a conversion under a lock for all pages of an origin and all threads of a process. If the conversion runs
 * elsewhere, it waits until that run has ended, and then finds what that run sent. Without Web Locks it runs at once.
 *
 * @throws the reason of the signal if it is aborted while another run holds the lock
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
    // Sandboxed pages have locks that reject every request.
    if (hasBegun || signal?.aborted) throw error
    return await begin()
  }
}

/** The used part of the Web Locks API. */
type Locks = {
  request<Result>(name: string, options: { readonly signal?: AbortSignal }, run: () => Promise<Result>): Promise<Result>
}
