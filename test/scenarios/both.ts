/** Expects the same outcome over REST and over tRPC. */
export function both<Outcome>(outcome: Outcome): readonly Outcome[] {
  return [outcome, outcome]
}
