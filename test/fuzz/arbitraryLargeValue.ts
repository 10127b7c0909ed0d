import fc from 'fast-check'

const lengths = fc.oneof(fc.integer({ min: 100, max: 3000 }), fc.integer({ min: 3000, max: 49_000 }))

/** A JSON value that is deep, wide or long, as text of at most about 100,000 characters. */
export const arbitraryLargeValue: fc.Arbitrary<string> = fc.oneof(
  lengths.map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  lengths.map((depth) => '['.repeat(depth)),
  lengths.map((depth) => `${'{"a":'.repeat(depth / 4)}1${'}'.repeat(depth / 4)}`),
  lengths.map((depth) => `${'{"__proto__":'.repeat(depth / 8)}1${'}'.repeat(depth / 8)}`),
  lengths.map((length) => `[${'0,'.repeat(length)}0]`),
  lengths.map((length) => `{${Array.from({ length: length / 6 }, (_, index) => `"f${index}":0`).join(',')}}`),
  lengths.map((length) => `"${'x'.repeat(length)}"`),
  lengths.map((length) => `"${'💥'.repeat(length / 4)}"`),
  lengths.map((length) => `"${'\\u0000'.repeat(length / 6)}"`),
  lengths.map((length) => `"0x02${'f9'.repeat(length / 2)}"`),
  lengths.map((length) => '9'.repeat(length)),
  lengths.map((length) => `"${'9'.repeat(length)}"`),
  lengths.map((length) => `0.${'0'.repeat(length)}1`),
  lengths.map((length) => `1e${'9'.repeat(length)}`),
)
