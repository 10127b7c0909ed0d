/** How long requests in flight may take to end once the service is told to stop: longer than a chain's answer may take. */
export const closeWithinMs = 15_000
