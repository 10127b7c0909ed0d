import type { ApprovalStep, TransactionStep, UnsignedConvert } from '../api/schemas.ts'
import { checkApproval } from '../check/checkApproval.ts'
import { getMaxAmountInRaw } from '../check/ExpectedConversion.ts'
import { buildConversion } from './buildConversion.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { ensureChain } from './ensureChain.ts'
import { readApproval } from './readApproval.ts'
import { readPlan } from './readPlan.ts'
import { requestTransaction } from './requestTransaction.ts'
import { withTag } from './conversionTag.ts'
import { canBatch, sendBatch } from './sendBatch.ts'
import { signPermit, type PermitStep } from './signPermit.ts'
import { toIssueError } from './toFailureError.ts'

/** Asks the wallet for the next request that the conversion needs, by the shortest remaining way. */
export async function proceed(run: ConversionRun): Promise<void> {
  await ensureChain(run)
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
  return isPermit(step) ? await signPermit(run, step) : await sendApproval(run, step)
}

function isPermit(step: ApprovalStep): step is PermitStep {
  return step.kind === 'permit' || step.kind === 'permit2'
}

async function sendApproval(run: ConversionRun, { kind, walletTransaction }: TransactionStep): Promise<void> {
  const { to, data } = walletTransaction
  const { quote, account, chainId } = run.state
  const common = { token: quote.tokenIn.address, spender: quote.spender, account, chainId }
  checkApproval({ ...common, amountRaw: kind === 'reset' ? 0n : getMaxAmountInRaw(quote) }, walletTransaction)
  const content = readApproval(quote, { kind, data })
  await run.tell({ ...content, status: 'needed' })
  const { transactionHash } = await requestTransaction(run, {
    call: { kind, to, data },
    waiting: { ...content, status: 'waiting-for-wallet' },
    ask: async () => ({ transactionHash: await run.session.sendTransaction(walletTransaction) }),
  })
  if (transactionHash) await run.tell({ ...content, status: 'sent', transactionHash })
}

async function sendConversion(run: ConversionRun, built: UnsignedConvert): Promise<void> {
  await assertFeasible(run, built)
  const { deadline } = built
  const data = withTag(built.transaction.data, run)
  const transaction = { ...built.transaction, data }
  const { to } = transaction
  await run.tell({ kind: 'convert', status: 'needed' })
  const { transactionHash } = await requestTransaction(run, {
    call: { kind: 'convert', to, data, deadline },
    waiting: { kind: 'convert', status: 'waiting-for-wallet' },
    ask: async () => ({ transactionHash: await run.session.sendTransaction(transaction) }),
  })
  if (transactionHash) await run.tell({ kind: 'convert', status: 'sent', transactionHash })
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
