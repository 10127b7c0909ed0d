/** How final the block of a mined transaction is, from least to most final. */
export const finalities = ['included', 'safe', 'finalized'] as const

/** A finality of a block. */
export type Finality = (typeof finalities)[number]

/** The statuses of a transaction, which responses and the types of webhook events contain. */
export const statuses = ['pending', ...finalities, 'failed', 'replaced', 'dropped', 'reorged'] as const

/** A status of a transaction. */
export type Status = (typeof statuses)[number]

/** The state of a transaction. The status of a successful transaction is the finality of its block. */
export type TransactionState =
  | { readonly status: 'pending'; readonly visibility: Visibility }
  | { readonly status: Finality }
  | { readonly status: 'failed'; readonly finality: Finality }
  | { readonly status: 'replaced'; readonly winner: Winner | undefined }
  | { readonly status: 'dropped' | 'reorged' }

/**
 * Whether a node has a pending transaction. A transaction is contested if a node has another transaction with its nonce
 * instead. A transaction is unseen after an hour in which no node had it.
 */
export type Visibility = 'visible' | 'hidden' | 'contested' | 'unseen'

/**
 * The transaction that used the nonce of a replaced transaction. If the code of the account used the nonce, no
 * such transaction exists.
 */
export type Winner = {
  readonly finality: Finality
  /** Undefined in a state that was parsed from the id of an event. */
  readonly hash?: string | undefined
}

/** The fields of a `transaction/track` response that determine the state. */
export type TrackedFields = {
  readonly status: Status
  readonly visible?: boolean | undefined
  readonly contested?: boolean | undefined
  readonly unseen?: boolean | undefined
  readonly finality?: Finality | undefined
  readonly replacement?: Replacement | undefined
}

type Replacement = { readonly transactionHash: string; readonly finality?: Finality | undefined }

/** Returns the state that a response describes. A pending transaction is visible only if the response says so. */
export function from({
  status,
  visible,
  contested,
  unseen,
  finality = 'included',
  replacement,
}: TrackedFields): TransactionState {
  switch (status) {
    case 'pending':
      if (visible === true) return { status, visibility: 'visible' }
      return { status, visibility: contested === true ? 'contested' : unseen === true ? 'unseen' : 'hidden' }
    case 'failed':
      return { status, finality }
    case 'replaced':
      return { status, winner: replacement && toWinner(replacement) }
    default:
      return { status }
  }
}

function toWinner({ transactionHash, finality = 'included' }: Replacement): Winner {
  return { finality, hash: transactionHash }
}

/** Returns the finality of the block that decided a transaction; undefined if no block has. */
export function finalityOf(state: TransactionState): Finality | undefined {
  switch (state.status) {
    case 'failed':
      return state.finality
    case 'replaced':
      return state.winner?.finality
    default:
      return isFinality(state.status) ? state.status : undefined
  }
}

/**
 * Returns whether a finalized block decided the transaction. A dropped transaction is not final, because a node may
 * send it again.
 */
export function isFinal(state: TransactionState): boolean {
  return finalityOf(state) === 'finalized'
}

/** Returns whether a stream of the transaction ends: it is final, dropped, or replaced by no transaction. */
export function isSettled(state: TransactionState): boolean {
  if (state.status === 'dropped') return true
  if (state.status === 'replaced' && !state.winner) return true
  return isFinal(state)
}

/**
 * Compares how final two states with the same outcome are.
 *
 * @returns -1 if the first is less final, 1 if it is more final, 0 if both are equally final; undefined if their
 * outcomes differ
 */
export function compare(first: TransactionState, second: TransactionState): -1 | 0 | 1 | undefined {
  if (!isSameOutcome(first, second)) return undefined
  return Math.sign(rankOf(first) - rankOf(second)) as -1 | 0 | 1
}

function rankOf(state: TransactionState): number {
  return finalities.indexOf(finalityOf(state) ?? 'included')
}

function isSameOutcome(first: TransactionState, second: TransactionState): boolean {
  if (first.status === 'pending' && second.status === 'pending') return first.visibility === second.visibility
  if (first.status === 'replaced' && second.status === 'replaced') return isSameWinner(first.winner, second.winner)
  return first.status === second.status || (isFinality(first.status) && isFinality(second.status))
}

function isSameWinner(first: Winner | undefined, second: Winner | undefined): boolean {
  if (!first || !second) return first === second
  return first.hash === undefined || second.hash === undefined || first.hash === second.hash
}

/**
 * Lists the states that a transaction has reached since the previous state, in order. The last entry is the next state.
 *
 * The list is empty if nothing has changed, or if a node that lags behind reports a less final state. A transaction
 * that succeeded passes each finality. Each reorganisation is a transition. Without a previous state, only the next
 * state is listed.
 */
export function transitions(
  previous: TransactionState | undefined,
  next: TransactionState,
): readonly TransactionState[] {
  if (!previous || next.status === 'reorged') return [next]
  const order = compare(next, previous)
  if (order !== undefined && order <= 0) return []
  if (!isFinality(next.status)) return [next]
  const reached = isFinality(previous.status) ? finalities.indexOf(previous.status) : -1
  return finalities.slice(reached + 1, finalities.indexOf(next.status) + 1).map((status) => ({ status }))
}

// There are two text forms. Rows contain the hash of a winner, and the ids of stream events do not: an id has up to
// twenty transactions in one header. Replicas of the previous release read and write both.

/**
 * Formats a state for the row of a followed transaction: `safe`, `failed/safe`, `replaced/safe/0x…`; `unseen` if no
 * node has the transaction.
 */
export function format(state: TransactionState): string {
  switch (state.status) {
    case 'pending':
      return state.visibility === 'visible' ? 'pending' : 'unseen'
    case 'failed':
      return `failed/${state.finality}`
    case 'replaced':
      return `replaced/${state.winner?.finality ?? 'included'}/${state.winner?.hash ?? ''}`
    default:
      return state.status
  }
}

/** The pattern of the rows of final states, in the syntax of JavaScript and PostgreSQL. */
export const finalPattern = '(^|/)finalized(/|$)'

/** Parses the state of a row. Returns undefined for other text, such as `unknown` in rows of the previous release. */
export function parse(text: string): TransactionState | undefined {
  if (text === 'unseen') return { status: 'pending', visibility: 'hidden' }
  const [status, finality, hash] = text.split('/')
  if (finality === undefined) return parseStatus(text)
  if (!isFinality(finality)) return undefined
  if (status === 'failed') return { status, finality }
  if (status !== 'replaced') return undefined
  return { status, winner: hash === undefined || hash === '' ? undefined : { finality, hash } }
}

/** Formats a state for the id of a stream event: `safe`, `failed-safe`, `replaced-safe`, `pending-hidden`. */
export function formatEventId(state: TransactionState): string {
  switch (state.status) {
    case 'pending':
      return state.visibility === 'visible' ? 'pending' : `pending-${state.visibility}`
    case 'failed':
      return `failed-${state.finality}`
    case 'replaced':
      return `replaced-${state.winner?.finality ?? 'unknown'}`
    default:
      return state.status
  }
}

/** Parses the state in the id of a stream event. Returns undefined for other text. */
export function parseEventId(text: string): TransactionState | undefined {
  const [status, detail] = text.split('-')
  if (detail === undefined) return parseStatus(text)
  if (text === 'replaced-unknown') return { status: 'replaced', winner: undefined }
  if (status === 'pending' && (detail === 'hidden' || detail === 'contested' || detail === 'unseen'))
    return { status, visibility: detail }
  if (!isFinality(detail)) return undefined
  if (status === 'failed') return { status, finality: detail }
  return status === 'replaced' ? { status, winner: { finality: detail } } : undefined
}

/** Parses a state that both forms write as its status only. */
function parseStatus(status: string): TransactionState | undefined {
  if (status === 'pending') return { status, visibility: 'visible' }
  return status === 'dropped' || status === 'reorged' || isFinality(status) ? { status } : undefined
}

function isFinality(text: string): text is Finality {
  return (finalities as readonly string[]).includes(text)
}
