import { AgioError, clientError } from '../errors/AgioError.ts'
import { ignoreWalletFailure } from '../wallet/toWalletError.ts'
import { isOnlyPayer, listTransfers } from '../wallet/transfers.ts'
import type { Address, Hex } from '../wallet/Wallet.ts'
import type { BlockTransaction, Transfer, WalletBlock, WalletSession } from '../wallet/WalletSession.ts'
import type { ConversionRun } from './ConversionRun.ts'
import type { PendingRequest } from './ConversionState.ts'
import { countOtherTags, isTagged } from './conversionTag.ts'
import { findMined, hasPaid, type MinedConversion } from './MinedConversion.ts'

/** Blocks that are read again, because a reorganisation can move a payment. */
const reorgBlocks = 64

/**
 * Creates a finder that searches all blocks since a request for the payment of a conversion: a transfer of its input
 * token from the account. It does not matter who sent the transaction. Each search continues where the previous
 * search ended. The state keeps the last searched block, for a conversion that is resumed.
 */
export function createPaymentFinder(run: ConversionRun, request: SearchedRequest) {
  const { session, state } = run
  const { fromBlock, searchedBlock = fromBlock, deadline } = request
  const token = state.quote.tokenIn.address
  const others = new Set<string>()
  const limit = { blocks: Number.POSITIVE_INFINITY }
  let possible = new Set<Hex>()
  let searched = searchedBlock

  async function findAmong(transfers: readonly Transfer[]): Promise<Hex | undefined> {
    for (const { transactionHash, blockHash } of transfers) {
      const key = `${transactionHash}${blockHash}`
      if (others.has(key)) continue
      const verdict = await judge(run, transactionHash, request)
      if (verdict === 'conversion') return transactionHash
      if (verdict === 'possible') possible.add(transactionHash)
      if (verdict === 'other') others.add(key)
    }
    return undefined
  }

  async function search(to: number): Promise<Hex | undefined> {
    // A limit that was found is tried again at twice its size.
    limit.blocks *= 2
    possible = new Set()
    const from = Math.max(0, Math.min(searched, to) - reorgBlocks) + 1
    for await (const { last, transfers } of listInPieces({ session, token, limit }, { from, to })) {
      const found = await findAmong(transfers)
      if (found) return found
      // Blocks with a payment that cannot be told apart are read again.
      if (possible.size > 0) continue
      searched = Math.max(searched, last)
      if (run.state.pending) run.update({ pending: { ...run.state.pending, searchedBlock: searched } })
    }
    return getOnly(possible)
  }
  const toLastBlock = (head: Head) => findLastBlock(session, { fromBlock, deadline, head })

  return {
    /**
     * Returns its hash, or undefined if the transfers of all blocks up to the given one, or up to one after the deadline, do
     * not have it.
     *
     * @throws `wallet/failed` with the action `resume` if several transactions can be the conversion
     */
    find: async (head: Head) => await search(await toLastBlock(head)),
    /**
     * Reads all blocks since the request again, and the newest ones each by its hash. A node that lags may return an empty
     * list for a range of blocks that it does not have.
     *
     * @throws `wallet/failed` while the node has not indexed the logs of all blocks
     */
    async findInLast(head: Head): Promise<Hex | undefined> {
      const to = await toLastBlock(head)
      await assertIndexed(session, { from: fromBlock + 1, to })
      searched = fromBlock
      const again = await search(to)
      if (again) return again
      for (let from = Math.max(0, to - reorgBlocks) + 1; from <= to; from += blocksAtOnce) {
        const numbers = Array.from({ length: Math.min(blocksAtOnce, to - from + 1) }, (_, index) => from + index)
        const lists = await Promise.all(numbers.map(listOf))
        const found = await findAmong(lists.flat())
        if (found) return found
      }
      return getOnly(possible)
    },
  }

  async function listOf(block: number): Promise<readonly Transfer[]> {
    const { hash } = await session.readHead(block)
    return await session.listTransfers(token, { hash })
  }
}

/**
 * Asserts that the node can search some blocks for logs. The index of its logs may lag far behind its head, and then it
 * lists no transfers. It has the blocks if it lists the logs of a contract that emitted any in the newest of them.
 */
async function assertIndexed(session: WalletSession, { from, to }: Range): Promise<void> {
  for (let block = to; block >= from; block--) {
    const emitter = await findEmitter(session, block)
    if (emitter === undefined) continue
    if (await session.hasLogs(emitter, block)) return
    throw clientError('wallet/failed', `Cannot search block ${block}: the node does not list its logs yet`, details)
  }
}

async function findEmitter(session: WalletSession, block: number): Promise<Address | undefined> {
  const { transactions } = await session.readBlock(block)
  for (const { hash } of transactions) {
    const { logs: [log] = [] } = (await session.findReceipt(hash)) ?? {}
    if (log) return log.address
  }
  return undefined
}

type Range = { readonly from: number; readonly to: number }

type SearchedRequest = Pick<
  PendingRequest,
  'fromBlock' | 'fromBlockHash' | 'earlierPayments' | 'searchedBlock' | 'deadline'
>

type Listing = {
  readonly session: WalletSession
  readonly token: Address
  /** The most blocks that the provider has accepted in one request. */
  readonly limit: { blocks: number }
}

/** Lists the transfers of some blocks in pieces, because providers limit the blocks of a request. */
async function* listInPieces({ session, token, limit }: Listing, { from, to }: Range) {
  for (let first = from; first <= to;) {
    const range = { from: first, to: Math.min(to, first + limit.blocks - 1) }
    const found = await ignoreWalletFailure(() => session.listTransfers(token, range))
    limit.blocks = found ? limit.blocks : Math.ceil((range.to - first + 1) / 2)
    if (!found && range.to > first) continue
    if (!found) limit.blocks = Number.POSITIVE_INFINITY
    yield { last: range.to, transfers: found ?? (await session.listTransfers(token, range)) }
    first = range.to + 1
  }
}

/**
 * Reads what distinguishes the payment of a request from earlier payments after a reorganisation: the hash of the newest block,
 * and the payments of the account in the last 64 blocks. Returns nothing if the node does not list them.
 */
export async function readEarlierPayments(
  { session, state }: ConversionRun,
  { number, hash }: Pick<WalletBlock, 'number' | 'hash'>,
): Promise<Pick<PendingRequest, 'fromBlockHash' | 'earlierPayments'> | undefined> {
  const listing = { session, token: state.quote.tokenIn.address, limit: { blocks: Number.POSITIVE_INFINITY } }
  return await ignoreWalletFailure(async () => {
    const earlierPayments: Hex[] = []
    const range = { from: Math.max(0, number - reorgBlocks) + 1, to: number }
    for await (const { transfers } of listInPieces(listing, range))
      earlierPayments.push(...transfers.map(({ transactionHash }) => transactionHash))
    return { fromBlockHash: hash, earlierPayments }
  })
}

/**
 * Returns whether a mined transaction is a payment from before the request. A later payment may have an older block number
 * only after a reorganisation, which has changed the block of the request.
 */
export async function isEarlier(
  { session }: ConversionRun,
  { fromBlock, fromBlockHash, earlierPayments }: SearchedRequest,
  { transactionHash, blockNumber }: Pick<MinedConversion, 'transactionHash' | 'blockNumber'>,
): Promise<boolean> {
  if (earlierPayments?.includes(transactionHash)) return true
  if (blockNumber > fromBlock) return false
  return fromBlockHash === undefined || (await session.readHead(fromBlock)).hash === fromBlockHash
}

type Search = {
  readonly fromBlock: number
  readonly deadline: number | undefined
  readonly head: Head
}

/** Returns the number of the first block after the deadline, or of the newest block. No later block has a payment. */
async function findLastBlock(session: WalletSession, { fromBlock, deadline, head }: Search): Promise<number> {
  if (deadline === undefined || head.timestamp <= deadline) return head.number
  let [before, after] = [Math.min(fromBlock, head.number), head.number]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if ((await session.readHead(middle)).timestamp > deadline) after = middle
    else before = middle
  }
  return after
}

const blocksAtOnce = 8

type Head = Pick<WalletBlock, 'number' | 'timestamp'>

function getOnly(possible: ReadonlySet<Hex>): Hex | undefined {
  if (possible.size > 1) throw ambiguous([...possible])
  return [...possible][0]
}

type Verdict = 'conversion' | 'possible' | 'earlier' | 'other'

/**
 * Decides whether a transaction that moved the input token of the account is the conversion. Another transaction has
 * other amounts, or the id of another conversion. The calldata of some senders is packed, so that no id is readable.
 */
async function judge(run: ConversionRun, hash: Hex, request: SearchedRequest): Promise<Verdict> {
  const { session } = run
  const [found, mined] = [await session.findTransaction(hash), await findMined(run, hash)]
  if (!found || !mined) throw clientError('wallet/failed', `Cannot read the transaction ${hash}`, details)
  if (!hasPaid(run, mined)) return 'other'
  if (isTagged(run)(found)) return 'conversion'
  if (isOfAnother(run, found, mined)) return 'other'
  if (await isEarlier(run, request, mined)) return 'earlier'
  const { deadline } = request
  const { timestamp } = await session.readHead(mined.blockNumber)
  return deadline !== undefined && timestamp > deadline ? 'other' : 'possible'
}

/** Returns whether a readable id says that a mined transaction made other conversions only. */
export function isOfAnother(run: ConversionRun, found: BlockTransaction, mined: MinedConversion): boolean {
  const { state } = run
  const payment = { token: state.quote.tokenIn.address, from: state.account }
  const others = isOnlyPayer(mined, payment) ? countOtherTags(found.input, payment.token, run) : 0
  return others > 0 && others >= listTransfers(mined, payment).length
}

const details = { method: 'eth_getLogs' }

function ambiguous(hashes: readonly Hex[]): AgioError {
  const message = `wallet/failed: Cannot tell which transaction is the conversion: ${hashes.join(' and ')} paid the same`
  return new AgioError('wallet/failed', message, { details, retryable: false, action: 'resume' })
}
