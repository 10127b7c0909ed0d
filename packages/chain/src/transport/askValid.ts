import { assertResult } from './assertResult.ts'
import type { Body, Link } from './Link.ts'

/** What a node answers. @throws what the link throws, and `Error` for what cannot be an answer */
export async function askValid(link: Link, body: Body): Promise<unknown> {
  const result = await link.ask(body)
  assertResult(body.method, result)
  return result
}
