import { Errors, Network, TransactionState, type ServiceError } from '@agio/core'
import type { Hex } from 'viem'

/** The content of an event id: the newest blocks, and the position of each transaction of the stream. */
export type StreamCursor = {
  readonly blocks: readonly { readonly chainId: Network.ChainId; readonly number: bigint; readonly hash: Hex }[]
  readonly transactions: readonly TransactionPosition[]
}

/** The position of a transaction at the last event that a client received. */
export type TransactionPosition = {
  readonly state: TransactionState.TransactionState
  /** The cursor of `transaction/track`. */
  readonly cursor: string
}

// Clients send the id back in a header. Servers and proxies limit the size of headers, so the id contains only necessary data.
const maxLength = 12_000
const maxTransactions = 20

const pattern = /^1\.([\w~:-]*)\.([\w~:-]*)$/
const blockPattern = /^(\d{1,10}):(\d{1,16}):([\w-]{43})$/
const positionPattern = /^([a-z-]{1,30}):([\w-]{1,2048})$/

/** Returns a cursor as text. It is not signed, because a caller could only mislead itself. */
export function formatStreamCursor({ blocks, transactions }: StreamCursor): string {
  const blockTexts = blocks.map(({ chainId, number, hash }) => {
    return `${chainId}:${number}:${Buffer.from(hash.slice(2), 'hex').toString('base64url')}`
  })
  const positions = transactions.map(({ state, cursor }) => `${TransactionState.formatEventId(state)}:${cursor}`)
  return `1.${blockTexts.join('~')}.${positions.join('~')}`
}

/** Returns the cursor of a text. @throws `svc/invalid-request` if the text is not a cursor */
export function parseStreamCursor(text: string): StreamCursor {
  const [, blocks, positions] = (text.length <= maxLength && pattern.exec(text)) || []
  if (blocks === undefined || positions === undefined) throw noStreamCursor(text)
  const transactions = split(positions)
  if (transactions.length > maxTransactions) throw noStreamCursor(text)
  return {
    blocks: split(blocks).map((block) => {
      const [, id, number, hash] = blockPattern.exec(block) ?? []
      const chainId = Number(id)
      if (!Network.isChainId(chainId) || number === undefined || hash === undefined) throw noStreamCursor(text)
      return { chainId, number: BigInt(number), hash: `0x${Buffer.from(hash, 'base64url').toString('hex')}` }
    }),
    transactions: transactions.map((position) => {
      const [, id, cursor] = positionPattern.exec(position) ?? []
      const state = id === undefined ? undefined : TransactionState.parseEventId(id)
      if (state === undefined || cursor === undefined) throw noStreamCursor(text)
      return { state, cursor }
    }),
  }
}

function split(text: string): readonly string[] {
  return text === '' ? [] : text.split('~')
}

/** Returns the error for a text that is not an event id. */
export function noStreamCursor(text: string): ServiceError<'svc/invalid-request'> {
  return Errors.invalidRequest({ field: 'Last-Event-ID', value: text, reason: 'it is not the id of an event' })
}
