import type { z } from 'zod'

type RawIssue = z.core.$ZodRawIssue

/** Returns the sentence of an issue for which its schema has none: what the value is, or what it has to be. */
export function describeIssue(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue.expected, issue.input)
    case 'invalid_value':
      return `It is not ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`
    case 'invalid_format':
      return issue.pattern === undefined || issue.format !== 'regex'
        ? `It is not a valid ${issue.format}`
        : `It does not match ${issue.pattern}`
    case 'unrecognized_keys':
      return `Unknown field ${issue.keys.join(', ')}`
    case 'too_small':
      return `${nounOf(issue.origin)} is below the minimum of ${issue.minimum}`
    case 'too_big':
      return `${nounOf(issue.origin)} is above the maximum of ${issue.maximum}`
    case 'not_multiple_of':
      return `It is not a multiple of ${issue.divisor}`
    default:
      return 'It has none of the forms that the documentation lists'
  }
}

function nounOf(origin: string): string {
  if (origin === 'string') return 'Its length'
  return origin === 'array' || origin === 'set' ? 'The number of its items' : 'It'
}

function describeType(expected: string, value: unknown): string {
  if (value === undefined) return 'It is missing'
  if (expected === 'string' && typeof value === 'number') return `It is a number. Send ${toTextHint(value)}`
  return `It is ${toKind(value)}, not ${nouns[expected] ?? `of the type ${expected}`}`
}

const nouns: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

function toKind(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'boolean') return String(value)
  return nouns[typeof value] ?? typeof value
}

// A double has about 15.9 significant digits: a number with more may not be what the client meant.
const maxDigits = 15

/** Returns the text to send instead of a number, or an example if the number may have lost digits. */
function toTextHint(value: number): string {
  const text = String(value)
  const isExact = /^-?\d+(\.\d+)?$/.test(text) && text.replace(/\D/g, '').length <= maxDigits
  return isExact ? JSON.stringify(text) : 'text, such as "100.5"'
}
