import { isAgioError, AgioError, type AnyAgioError } from '../errors/AgioError.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { settlePending } from './settlePending.ts'
import type { SuccessfulReceipt } from './SuccessfulReceipt.ts'
import { toPlainQuote, type AgioQuoteData } from '../quote/AgioQuote.ts'
import { refusePermit, signPermit, type PermitStep } from './signPermit.ts'
import type { ApprovalStep, UnsignedConvert, SignedPermit, ApprovalPlan, TransactionStep } from '../api/schemas.ts'
import { failureShape } from '../errors/assertAnswer.ts'
import type { Shape } from '../errors/findFlaw.ts'
import { assertShape, callShape } from '../quote/assertShape.ts'
import { checkQuote } from '../checks/checkQuote.ts'
import { checkSender, checkTransaction } from '../checks/checkTransaction.ts'
import { toDeadline } from '../checks/ExpectedConversion.ts'
import { formatValue, mismatch } from '../quote/mismatch.ts'
import { checkContracts } from './checkContracts.ts'
import { checkGas } from './checkGas.ts'
import { ensureChain } from './ensureChain.ts'
import { sendApproval } from './approval.ts'
import { createEffectFinder } from './observeConversion.ts'
import { requestTransaction } from './requestTransaction.ts'
import { withTag } from './conversionTag.ts'
import { canBatch, sendBatch } from './sendBatch.ts'
import { simulateConversion } from './simulateConversion.ts'
import { toIssueError } from './toFailureError.ts'
import { createPolls } from './createPolls.ts'

// A user who confirms in time needs none. Each requote costs a request, and a permit must be signed again.
const maxRequotes = 3

/**
 * Runs a conversion to its end from any state, new or stored. It settles the last request to the wallet first. The
 * chain and the service determine what comes next.
 */
export async function runConversion(run: ConversionRun): Promise<SuccessfulReceipt> {
  for (;;) {
    const { pending } = run.state
    if (pending) {
      const receipt = await settlePending(run, pending)
      if (receipt) return receipt
      continue
    }
    try {
      await proceed(run)
    } catch (error) {
      if (!isAgioError(error)) throw error
      await recover(run, error)
    }
  }
}

/** Removes the cause of an error, so that the conversion can continue. @throws the error if that is not possible */
async function recover(run: ConversionRun, error: AnyAgioError): Promise<void> {
  // The service may build at a newer block than the one that the expiry was checked against.
  if (error.code === 'svc/quote-expired' || error.code === 'svc/deadline-passed') return await requote(run, error)
  const { permit } = run.state
  if (error.code !== 'svc/invalid-permit' || !permit) throw error
  run.update({ permit: undefined })
  const { reason } = error.details
  // A new signature helps if the old one has expired or its nonce was used.
  if (reason === 'deadline' || reason === 'nonce') return
  await refusePermit(run, { scheme: permit.kind, amount: permit.amount ?? '', error })
}

/**
 * Replaces the expired quote with a new quote within the accepted limit.
 *
 * @throws `svc/quote-expired` after three requotes; `convert/mismatch` for a quote that changes more than a requote may
 */
async function requote(run: ConversionRun, expired: AnyAgioError): Promise<void> {
  const { service, options, state } = run
  run.begin({ kind: 'quote', status: 'needed' })
  const { requotes = 0 } = state
  if (options.onQuoteExpired === 'fail' || requotes >= maxRequotes) throw toExpired(state.quote, expired)
  await run.publish({ kind: 'quote', status: 'needed' })
  const { signal } = options
  const quote = toPlainQuote(await service.refresh(state.quote, { signal }))
  // The signature is dropped, because its deadline is the expiry of the old quote.
  run.update({ quote, permit: undefined, requotes: requotes + 1 })
  await run.publish({ kind: 'quote', status: 'done', quote, isRequote: true })
}

function toExpired({ expiresAt }: AgioQuoteData, cause: AnyAgioError): AgioError {
  if (cause.code === 'svc/quote-expired') return cause
  const message = `svc/quote-expired: Cannot convert: the quote expired at ${expiresAt}`
  return new AgioError('svc/quote-expired', message, {
    details: { expiresAt },
    retryable: false,
    action: 'requote',
    cause,
  })
}

/**
 * Makes the next request to the wallet: a batch, a signature, an approval or the conversion itself. It takes the
 * shortest way that remains.
 */
async function proceed(run: ConversionRun): Promise<void> {
  // The quote may be the first, a renewed or a stored quote.
  checkQuote(run.state.quote)
  await ensureChain(run)
  await checkContracts(run)
  run.begin({ kind: 'convert', status: 'needed' })
  const { permit } = run.state
  if (permit) return await sendConversion(run, await buildConversion(run, permit))
  const { steps } = await readPlan(run)
  const built = await buildConversion(run)
  const [step] = steps
  if (!step) return await sendConversion(run, built)
  const isBatch = await canBatch(run)
  // Fails before the user is asked for an approval that could not help.
  await assertFeasible(run, built, { isApprovalNext: true, isBatch })
  if (isBatch) return await sendBatch(run, built)
  if (isTransactionStep(step)) return await sendApproval(run, step)
  if (!isPermit(step))
    throw mismatch('kind', { expected: 'a step of a plan', actual: formatValue((step as ApprovalStep).kind) })
  if (mustApprove(run)) throw mismatch('kind', { expected: 'approve', actual: step.kind })
  return await signPermit(run, step)
}

/** Returns whether the allowance must come from an approval, because signatures were refused or are not wanted. */
function mustApprove({ options, state }: ConversionRun): boolean {
  return options.approval === 'approve' || state.refused.includes('permit')
}

// The kind is kept in the state, where other kinds mean a conversion.
function isTransactionStep(step: ApprovalStep): step is TransactionStep {
  return step.kind === 'reset' || step.kind === 'approve'
}

function isPermit(step: ApprovalStep): step is PermitStep {
  return step.kind === 'permit' || step.kind === 'permit2'
}

async function sendConversion(run: ConversionRun, built: UnsignedConvert): Promise<void> {
  await assertFeasible(run, built)
  const { permit, quote } = run.state
  const data = withTag(built.transaction.data, run)
  const transaction = { ...built.transaction, data }
  const { to } = transaction
  await run.publish({ kind: 'convert', status: 'needed' })
  await simulateConversion(run, built.transaction, async () => {
    await assertFeasible(run, await buildConversion(run, permit))
  })
  await checkGas(run.session, transaction, run.options)
  const { transactionHash } = await requestTransaction(run, {
    call: { kind: 'convert', to, data, deadline: toDeadline(quote) },
    waiting: { kind: 'convert', status: 'waiting-for-wallet' },
    ask: async () => await run.session.sendTransaction(transaction),
    findEffect: createEffectFinder(run),
  })
  if (transactionHash) await run.publish({ kind: 'convert', status: 'sent', transactionHash })
}

/**
 * Asserts that the market, the balance and the gas allow the conversion. A missing allowance is ignored if the
 * conversion approves next. Missing gas is ignored for batches and accounts with code, whose gas others may pay.
 *
 * @throws the error that the conversion would fail with
 */
async function assertFeasible(
  { session }: ConversionRun,
  { issues }: UnsignedConvert,
  { isApprovalNext = false, isBatch = false } = {},
): Promise<void> {
  for (const issue of issues) {
    if (issue.code === 'svc/insufficient-allowance' && isApprovalNext) continue
    if (issue.code === 'svc/insufficient-gas' && (isBatch || (await session.hasCode()))) continue
    throw toIssueError(issue)
  }
}

/**
 * Requests the transaction of the conversion from the service, and checks it.
 *
 * @throws `convert/mismatch`
 */
async function buildConversion(run: ConversionRun, permit?: SignedPermit): Promise<UnsignedConvert> {
  const { service, options } = run
  const { quote, account } = run.state
  const input = { quote: quote.quote, userAddress: account, ...(permit && { permit }) }
  const built = await service.api.transaction.buildConvert.query(input, { signal: options.signal })
  assertShape('build', built, buildShape)
  checkTransaction({ quote, account, permit }, built.transaction)
  checkSender({ account, chainId: quote.chainId }, built.transaction)
  return built
}

const buildShape: Shape = { transaction: callShape, issues: [failureShape] }
const planShape: Shape = { steps: [{ kind: 'string' }], 'blockNumber?': 'whole number' }

const maxReads = 20

/**
 * Returns the signatures and transactions that are required before the conversion. The plan is at least as new as the
 * previous transactions.
 */
async function readPlan(run: ConversionRun): Promise<ApprovalPlan> {
  const { service, state, options, line } = run
  const input = {
    quote: state.quote.quote,
    ownerAddress: state.account,
    ...(mustApprove(run) && { prefer: 'approve' as const }),
  }
  const { signal } = options
  const polls = createPolls(run)
  for (let reads = 1; ; reads++) {
    const plan = await service.api.approval.plan.query(input, { signal })
    assertShape('plan', plan, planShape)
    const { blockNumber = line.minBlock } = plan
    if (blockNumber >= line.minBlock || reads >= maxReads) return plan
    await polls.pause({ isMined: false })
  }
}
