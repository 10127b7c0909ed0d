/** How long `vi.waitUntil`, `vi.waitFor` and `expect.poll` wait for a condition that takes under a second on an idle machine. */
export const eventually = { timeout: 20_000, interval: 20 }

/** The conditions for which a poll may wait longer. */
export const longWaits = {
  /** The circuit of a node that never answers opens after time-outs of four seconds each. */
  circuitAfterTimeouts: { timeout: 50_000, interval: 20 },
  /** A service whose process starts beside the processes of other tests. */
  startedProcess: { timeout: 60_000, interval: 20 },
  /** A delivery that another replica takes over once the lease of the first has ended. */
  takenOverDelivery: { timeout: 90_000, interval: 20 },
  /** The console gives up a conversion after the node has not responded several times. */
  failedConversion: { timeout: 60_000, interval: 20 },
  /** The console repeats a refused request, or opens a stream again, after 20 seconds. */
  repeatedRequest: { timeout: 45_000, interval: 20 },
  /** A page of a built project that converts in each direction. */
  everyDirection: { timeout: 60_000, interval: 20 },
} as const

/** How long a test may take. */
export const testTimeout = 60_000

/** How long a hook may take: it starts chains, services and databases. */
export const hookTimeout = 120_000

/** How long tests may take that need more than `testTimeout`. */
export const longTests = {
  /** Random transactions, each mined. */
  randomTransactions: 900_000,
  /** Thousands of random requests. */
  randomRequests: 900_000,
  /** Tens of thousands of conversions with answers that a hostile service has changed. */
  hostileAnswers: 7_200_000,
  /** Random quotes against the contracts, by the number that a trial of hours sends. */
  randomQuotes: 7_200_000,
  /** Hundreds of changed contracts, each compiled and tested, or hundreds of thousands of random calls. */
  solidityTrials: 7_200_000,
  /** Processes that are started, and stopped or killed, several times. */
  killedProcesses: 180_000,
  /** The benchmark, or a project that is installed and built. */
  wholeProgram: 600_000,
} as const

/**
 * How often a test of limits on Redis is repeated. Its limits count by the clock of the machine: a machine that stops for longer than
 * the time-out of Redis makes a correct service answer by itself, which the log of the test shows.
 */
export const redisRetries = 5
