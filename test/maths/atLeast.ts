import { expect } from 'vitest'

/** Matches counts that are not below the given numbers. */
export function atLeast(numbers: Readonly<Record<string, number>>): Readonly<Record<string, unknown>> {
  const entries = Object.entries(numbers).map(([name, least]): [string, unknown] => [
    name,
    expect.toSatisfy((count: number) => count >= least, `at least ${least}`),
  ])
  return Object.fromEntries(entries)
}
