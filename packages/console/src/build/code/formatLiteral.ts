const maxLineLength = 120

/**
 * Formats JSON as a TypeScript literal in the style of the documentation: single quotes, and several lines only if one
 * line is too long.
 *
 * @param around number of characters before and after the literal in its line
 */
export function formatLiteral(value: unknown, around = 0, indent = ''): string {
  if (typeof value === 'string') return formatText(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const line = formatLine(value)
  if (indent.length + around + line.length <= maxLineLength) return line
  const inner = `${indent}  `
  const parts = listParts(value).map(([key, part]) => `${inner}${key}${formatLiteral(part, key.length + 1, inner)},\n`)
  const [open, close] = bracketsOf(value)
  return `${open}\n${parts.join('')}${indent}${close}`
}

function formatLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return formatLiteral(value)
  const parts = listParts(value).map(([key, part]) => `${key}${formatLine(part)}`)
  const [open, close] = bracketsOf(value)
  const space = parts.length > 0 && open === '{' ? ' ' : ''
  return `${open}${space}${parts.join(', ')}${space}${close}`
}

/** Lists the values of an object or an array, each with its prefix. */
function listParts(value: object): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.map((part: unknown) => ['', part])
  return Object.entries(value).map(([name, part]) => [`${formatName(name)}: `, part])
}

function bracketsOf(value: object): readonly [string, string] {
  return Array.isArray(value) ? ['[', ']'] : ['{', '}']
}

function formatName(name: string): string {
  // In a literal, this name would set the prototype.
  if (name === '__proto__') return `['${name}']`
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : formatText(name)
}

function formatText(text: string): string {
  const quoted = JSON.stringify(text)
  if (count(text, "'") > count(text, '"')) return quoted
  return `'${quoted
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`
}

function count(text: string, character: string): number {
  return text.split(character).length - 1
}
