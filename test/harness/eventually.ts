/** How long `vi.waitUntil`, `vi.waitFor` and `expect.poll` wait for what takes under a second on an idle machine. */
export const eventually = { timeout: 40_000, interval: 20 }
