import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url)).slice(0, -1)

const patterns = {
  'a stack': /\bat [\w.<> ]+ \(|:\d+:\d+\)/,
  'a file': /node_modules|node:internal|file:\/\/|\.[mc]?[jt]s:\d/,
  'an error of the code':
    /\b(Type|Range|Syntax|Reference|Zod|TRPC|Rpc)Error\b|is not a function|Cannot read propert(y|ies) /,
  'the database': /\b(ECONN\w+|PGlite|drizzle|select .* from )\b/,
}

/**
 * Finds a leak in a response, and names it.
 *
 * @param secrets keys and addresses that it must not contain
 */
export function findLeak(text: string, secrets: readonly string[]): string | undefined {
  if ([root, ...secrets].some((secret) => text.includes(secret))) return 'a secret'
  return Object.entries(patterns).find(([, pattern]) => pattern.test(text))?.[0]
}
