/** What an operator may do: read everything, manage API keys, manage quotes, or create backups. */
export const roles = ['read', 'keys', 'quotes', 'backup'] as const

/** A role of an operator. */
export type Role = (typeof roles)[number]

/** A person or a program that operates the service, with the digests of its secrets. */
export type Operator = {
  readonly name: string
  readonly roles: readonly Role[]
  /** SHA-256 of one secret, or of two during a rotation, in lower-case hex. */
  readonly digests: readonly string[]
}

/** Returns whether a text can name an operator. */
export function isName(text: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,39}$/.test(text)
}

/**
 * Parses roles that are separated by `+`. Returns undefined if one is unknown or repeated, or the text is empty.
 *
 * @example
 * parseRoles('read+keys') // ['read', 'keys']
 */
export function parseRoles(text: string): readonly Role[] | undefined {
  const named = text.split('+')
  const known = roles.filter((role) => named.includes(role))
  return known.length === named.length ? known : undefined
}

/** Formats an operator as one line: `name:roles:sha256[,sha256]`. */
export function format({ name, roles: granted, digests }: Operator): string {
  return `${name}:${granted.join('+')}:${digests.join(',')}`
}

/**
 * Parses operators, one a line. Skips empty lines, and lines that begin with `#`.
 *
 * @throws `Error` that names the line and never quotes it
 */
export function parseLines(text: string): readonly Operator[] {
  const operators = text
    .split(/\r\n|\n|\r/)
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'))
    .map(parseLine)
  assertDistinct(operators)
  return operators.map(({ number: _, ...operator }) => operator)
}

type Line = Operator & { readonly number: number }

function parseLine({ line, number }: { readonly line: string; readonly number: number }): Line {
  const [name = '', roleList = '', digestList = '', ...rest] = line.split(':')
  const refuse = (reason: string) => new Error(`line ${number}: ${reason}`)
  if (digestList === '' || rest.length > 0) throw refuse('write name:roles:sha256, or name:roles:sha256,sha256')
  if (!isName(name))
    throw refuse('the name must have 1 to 40 lower-case letters, digits, dots, underscores and hyphens')
  const granted = parseRoles(roleList)
  if (!granted) throw refuse(`the roles must be one or more of ${roles.join(', ')}, separated by +`)
  const digests = digestList.toLowerCase().split(',')
  if (digests.length > 2 || !digests.every((digest) => /^[0-9a-f]{64}$/.test(digest)))
    throw refuse('the digests must be one or two SHA-256 digests of 64 hex digits, separated by a comma')
  return { name, roles: granted, digests, number }
}

/** Asserts that no two lines have the same name, and that no secret belongs to two operators or is given twice. */
function assertDistinct(lines: readonly Line[]): void {
  const names = new Map<string, number>()
  const digested = new Map<string, number>()
  for (const { name, digests, number } of lines) {
    const named = names.get(name)
    if (named !== undefined) throw new Error(`line ${number}: the name is already in line ${named}`)
    names.set(name, number)
    for (const digest of digests) {
      const given = digested.get(digest)
      if (given !== undefined) throw new Error(`line ${number}: the same digest is already in line ${given}`)
      digested.set(digest, number)
    }
  }
}
