import type { Permit2Step, PermitStep as Eip2612Step } from '../api/schemas.ts'
import { assertShape } from '../quote/assertShape.ts'
import { checkTypedData } from '../checks/checkTypedData.ts'
import { isAgioError, type AnyAgioError } from '../errors/AgioError.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { countPrompt, endsConversion } from './prompts.ts'
import { toStepError } from './Step.ts'

/** A step of the plan that asks for a signature. */
export type PermitStep = Eip2612Step | Permit2Step

/**
 * Asks for a signature instead of an approval. If the user or the wallet rejects it, an approval follows or the
 * conversion ends.
 */
export async function signPermit(run: ConversionRun, { kind: scheme, permit, typedData }: PermitStep): Promise<void> {
  const { session, state, options } = run
  assertShape('step.permit', permit, { kind: 'string', amount: 'string', nonce: 'string', deadline: 'number' })
  const { quote, account, chainId } = state
  checkTypedData({ quote, account, chainId, kind: scheme, terms: permit }, typedData)
  const content = toContent(run, { scheme, amount: permit.amount })
  await run.publish({ ...content, status: 'needed' })
  await session.assertUnchanged(chainId)
  countPrompt(run)
  await run.publish({ ...content, status: 'waiting-for-wallet' })
  await session.assertUnchanged(chainId)
  options.signal?.throwIfAborted()
  try {
    const signature = await session.signTypedData(typedData)
    run.update({ permit: { ...permit, signature } })
  } catch (error) {
    // A signature that the wallet did not return has no effect.
    if (!isAgioError(error) || !(error.code === 'wallet/rejected' || error.code === 'wallet/failed')) throw error
    return await refusePermit(run, { scheme, amount: permit.amount, error })
  }
  await run.publish({ ...content, status: 'done' })
}

/**
 * Records that signatures are rejected, so that the conversion continues without them.
 *
 * @throws the refusal if it ends the conversion
 */
export async function refusePermit(run: ConversionRun, { error, ...permit }: Refused): Promise<void> {
  run.update({ refused: [...run.state.refused, 'permit'] })
  if (endsConversion(run, error)) throw error
  await run.publish({ ...toContent(run, permit), status: 'skipped', error: toStepError(error) })
}

type Refused = Terms & { readonly error: AnyAgioError }

type Terms = { readonly scheme: 'permit' | 'permit2'; readonly amount: string }

function toContent({ state: { quote } }: ConversionRun, terms: Terms) {
  return { kind: 'permit', ...terms, token: quote.tokenIn, spender: quote.spender } as const
}
