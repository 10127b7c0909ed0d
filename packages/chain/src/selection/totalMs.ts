/** What a call may take over all nodes and tries. */
export const totalMs = 10_000
