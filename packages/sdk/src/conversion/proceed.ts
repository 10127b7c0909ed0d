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
import type { ConversionRun } from './ConversionRun.ts'
import { ensureChain } from './ensureChain.ts'
import { sendApproval } from './approval.ts'
import { createEffectFinder } from './observeConversion.ts'
import { requestTransaction } from './requestTransaction.ts'
import { withTag } from './conversionTag.ts'
import { canBatch, sendBatch } from './sendBatch.ts'
import { simulateConversion } from './simulateConversion.ts'
import { signPermit, type PermitStep } from './signPermit.ts'
import { toIssueError } from './toFailureError.ts'
import { createPolls } from './createPolls.ts'

/**
 * Makes the next request to the wallet: a batch, a signature, an approval or the conversion itself. It takes the
 * shortest way that remains.
 */
export async function proceed(run: ConversionRun): Promise<void> {
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
