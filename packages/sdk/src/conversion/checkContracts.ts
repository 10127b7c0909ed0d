import type { AgioQuoteData } from '../quote/AgioQuote.ts'
import { checkExpiry } from '../quote/checkTerms.ts'
import { assertEqual, mismatch } from '../quote/mismatch.ts'
import { checkPins, getPins, isTrusted } from '../quote/PinnedContracts.ts'
import type { Address, Hex } from '../wallet/Wallet.ts'
import type { WalletSession } from '../wallet/WalletSession.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { createPolls } from './createPolls.ts'
import { whileConnected } from './ensureChain.ts'

/**
 * Asserts by the node that a quote names the right tokens and contracts and expires in time: both tokens have its
 * decimals, its spender has code and is trusted, and the trusted router uses the trusted factory.
 *
 * @throws `convert/mismatch`, `convert/unpinned-contracts`, `wallet/cannot-read`
 */
export async function checkContracts(run: ConversionRun): Promise<void> {
  const { state, session, service } = run
  const { quote, chainId } = state
  checkPins(service.contracts, quote)
  const facts = listFacts(run).filter(({ key }) => !isVerified(session, `${chainId}:${key}`))
  const isVerifiedHere = await whileConnected(run, async () => {
    await Promise.all([checkTime(run), ...facts.map(({ check }) => check())])
    return true
  })
  if (!isVerifiedHere) {
    await session.assertUnchanged(chainId)
    return await checkContracts(run)
  }
  for (const { key } of facts) setVerified(session, `${chainId}:${key}`)
}

// Nodes of a network do not lag further behind each other while they are healthy.
const maxLagMs = 15_000

/**
 * Waits until the node has the block of the quote. Transactions of the conversion are searched for from that block on,
 * so a block of the future would hide them.
 *
 * @throws `convert/mismatch` with `blockNumber` if the node does not have it within 15 seconds
 */
async function waitForQuotedBlock(run: ConversionRun): Promise<{ readonly timestamp: number }> {
  const { session, state } = run
  const polls = createPolls(run)
  const startedAtMs = Date.now()
  for (;;) {
    const head = await session.readHead()
    if (head.number >= state.fromBlock) return head
    if (Date.now() - startedAtMs >= maxLagMs) {
      throw mismatch('blockNumber', { expected: `at most ${head.number}`, actual: `${state.fromBlock}` })
    }
    await polls.pause({ isMined: false })
  }
}

/** A fact that the node confirms. It does not change, so that it is read once for each node. */
type Fact = { readonly key: string; check(): Promise<void> }

function listFacts({ state: { quote }, session, service }: ConversionRun): readonly Fact[] {
  const { spender, tokenIn, tokenOut } = quote
  const pins = getPins(service.contracts, quote.chainId)
  const tokens = [['tokenIn', tokenIn] as const, ['tokenOut', tokenOut] as const]
  const facts: Fact[] = tokens.map(([field, { address, decimals }]) => ({
    key: `${address}:${decimals}`,
    check: () => assertDecimals(session, { field: `${field}.decimals`, address, decimals }),
  }))
  facts.push({ key: `code:${spender}`, check: () => assertCode(session, spender) })
  if (pins?.factory === undefined) return facts
  const { router, factory } = pins as { readonly router: Address; readonly factory: Address }
  facts.push({ key: `${router}:${factory}`, check: () => assertFactory(session, { router, factory }) })
  if (isTrusted(pins, spender)) return facts
  return [...facts, { key: `${factory}:${spender}`, check: () => assertRegistered(session, { factory, quote }) }]
}

/** The verified facts by the provider that they were read from. */
const verifiedFacts = new WeakMap<object, Set<string>>()

function isVerified({ reader }: WalletSession, key: string): boolean {
  return verifiedFacts.get(reader)?.has(key) ?? false
}

function setVerified({ reader }: WalletSession, key: string): void {
  verifiedFacts.set(reader, (verifiedFacts.get(reader) ?? new Set()).add(key))
}

/** @throws `convert/mismatch` for a quote of a future block, or one that is valid for longer than requested */
async function checkTime(run: ConversionRun): Promise<void> {
  const { timestamp } = await waitForQuotedBlock(run)
  // The clock of this machine may be behind the chain.
  checkExpiry(run.state.quote, Math.max(Date.now() / 1000, timestamp))
}

// Selectors of `decimals()`, `factory()`, `getCurve(address,address)` and `allowance(address,address)`.
const selectors = { decimals: '0x313ce567', factory: '0xc45a0155', getCurve: '0x4ca98f68', allowance: '0xdd62ed3e' }

type Token = { readonly field: string; readonly address: Address; readonly decimals: number }

/** Asserts that a token has the decimals of the quote, which turn the accepted amounts into raw units. */
async function assertDecimals(session: WalletSession, { field, address, decimals }: Token): Promise<void> {
  const actual = parseWord(await session.call({ to: address, data: encode('decimals') }))
  assertEqual(field, actual === undefined ? 'none' : `${actual}`, decimals)
}

async function assertCode(session: WalletSession, spender: Address): Promise<void> {
  if (!(await session.hasCode(spender))) throw mismatch('spender', { expected: 'a contract', actual: spender })
}

type Registry = { readonly router: Address; readonly factory: Address }

async function assertFactory(session: WalletSession, { router, factory }: Registry): Promise<void> {
  const actual = parseWord(await session.call({ to: router, data: encode('factory') }))
  if (actual === BigInt(factory)) return
  throw mismatch('contracts.factory', { expected: factory, actual: formatAddress(actual) })
}

/** Asserts that the factory returns the spender as the pool of both tokens, in either order. */
async function assertRegistered(
  session: WalletSession,
  { factory, quote }: { readonly factory: Address; readonly quote: AgioQuoteData },
): Promise<void> {
  const { spender, tokenIn, tokenOut } = quote
  const pairs = [
    [tokenIn.address, tokenOut.address],
    [tokenOut.address, tokenIn.address],
  ]
  const read = async (pair: readonly string[]) =>
    parseWord(await session.call({ to: factory, data: encode('getCurve', ...pair) }))
  const pools = await Promise.allSettled(pairs.map(read))
  if (pools.some((pool) => pool.status === 'fulfilled' && pool.value === BigInt(spender))) return
  // Some factories revert for a pair without a pool.
  if (pools.every(({ status }) => status === 'rejected')) throw (pools[0] as PromiseRejectedResult).reason
  throw mismatch('spender', { expected: `a pool of the factory ${factory}`, actual: spender })
}

/** Returns how much of the input token the spender may take, in raw units. */
export async function readAllowance({ session, state }: ConversionRun): Promise<bigint> {
  const { tokenIn, spender } = state.quote
  const data = encode('allowance', state.account, spender)
  return parseWord(await session.call({ to: tokenIn.address, data })) ?? 0n
}

function encode(name: keyof typeof selectors, ...addresses: readonly string[]): Hex {
  const words = addresses.map((address) => address.slice(2).toLowerCase().padStart(64, '0'))
  return `${selectors[name]}${words.join('')}` as Hex
}

/** Returns the first word of what a call returned, or undefined if it returned nothing, as accounts without code do. */
export function parseWord(data: Hex): bigint | undefined {
  return data.length < 66 ? undefined : BigInt(data.slice(0, 66))
}

function formatAddress(word: bigint | undefined): string {
  return word === undefined ? 'none' : `0x${word.toString(16).padStart(40, '0')}`
}
