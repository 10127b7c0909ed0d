/**
 * Asserts that an input has no bigint, which JSON cannot represent.
 *
 * @throws TypeError that names the field
 */
export function assertJson(input: unknown, procedure: string): void {
  const field = findBigint(input, '')
  if (field === undefined) return
  const state = `${field === '' ? 'the input' : field} is a bigint. Pass amounts as decimal strings in whole tokens, such as '1.5'`
  throw new TypeError(`Cannot call ${procedure}: ${state}`)
}

/** Returns the path of the first bigint. The depth is limited, and JSON itself rejects endless nesting. */
function findBigint(value: unknown, path: string, depth = 0): string | undefined {
  if (typeof value === 'bigint') return path
  if (typeof value !== 'object' || value === null || depth > maxDepth) return undefined
  for (const [name, each] of Object.entries(value)) {
    const found = findBigint(each, path === '' ? name : `${path}.${name}`, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

const maxDepth = 10
