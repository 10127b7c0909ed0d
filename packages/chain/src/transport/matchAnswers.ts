/**
 * Makes sure that a node answers each question of a batch once, and nothing else. viem sorts answers by their ids, and then
 * takes the first for the first: one that is missing, doubled or of another id would be taken for another call's.
 *
 * @returns the answers; if one error answers the whole batch, that error for each of its questions
 * @throws `SyntaxError` if they are other ones
 */
export function matchAnswers(questions: readonly Identified[], answered: unknown): readonly Identified[] {
  const ids = new Set(questions.map(({ id }) => id))
  if (isRefusal(answered, ids)) return questions.map(({ id }) => ({ jsonrpc: '2.0', id, error: answered.error }))
  if (!Array.isArray(answered) || answered.length !== ids.size) throw notAsked()
  for (const answer of answered as readonly unknown[]) {
    // What was found once is not found again.
    if (!isAnswer(answer) || !ids.delete(answer.id)) throw notAsked()
  }
  return answered as readonly Identified[]
}

/** A question, or what answers it. */
export type Identified = { readonly id?: unknown; readonly [field: string]: unknown }

function isAnswer(value: unknown): value is Identified {
  return typeof value === 'object' && value !== null && ('result' in value || 'error' in value)
}

function isRefusal(value: unknown, ids: ReadonlySet<unknown>): value is Identified {
  if (!isAnswer(value) || typeof value['error'] !== 'object' || value['error'] === null) return false
  return value.id === undefined || value.id === null || ids.has(value.id)
}

function notAsked(): SyntaxError {
  return new SyntaxError('the node answers what was not asked')
}
