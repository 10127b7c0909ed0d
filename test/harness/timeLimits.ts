// These limits only end what hangs. A CI machine may be four times slower than an idle one.

/** How long `vi.waitUntil`, `vi.waitFor` and `expect.poll` wait for a condition that takes under 30 seconds on an idle machine. */
export const eventually = { timeout: 120_000, interval: 20 }

/** How long a test may take. */
export const testTimeout = 300_000

/** How long a hook may take: it starts chains, services and databases. */
export const hookTimeout = 300_000

/** How long tests may take that need more than `testTimeout`. */
export const longTests = {
  /** Random transactions, each mined. */
  randomTransactions: 1_800_000,
  /** Thousands of random requests. */
  randomRequests: 1_800_000,
  /** Tens of thousands of conversions with answers that a hostile service has changed. */
  hostileAnswers: 7_200_000,
  /** Random quotes against the contracts, by the number that a trial of hours sends. */
  randomQuotes: 7_200_000,
  /** Hundreds of changed contracts, each compiled and tested, or hundreds of thousands of random calls. */
  solidityTrials: 7_200_000,
  /** The benchmark, or a project that is installed and built. */
  wholeProgram: 1_200_000,
} as const
