import type { Failure } from '@agio/react/internal'
import type { IssueApiKeyInput } from '@agio/sdk/admin'

/** The text fields of the form for a new key. */
export type ApplicationForm = {
  readonly name: string
  readonly company: string
  readonly email: string
  readonly useCase: string
  readonly expectedVolume: string
  readonly tier: IssuedTier
  readonly requests: string
  readonly windowSeconds: string
  readonly burstPerSecond: string
  readonly monthlyQuota: string
}

/** A tier that a new key may have. */
export type IssuedTier = NonNullable<IssueApiKeyInput['tier']>

/**
 * Converts the form to the input of the request. Limits are sent only for the tier `production`. An empty company is
 * left out.
 */
export function toApplication(form: ApplicationForm): IssueApiKeyInput {
  const { name, company, email, useCase, expectedVolume, tier } = form
  const stated = {
    name: name.trim(),
    email: email.trim(),
    useCase: useCase.trim(),
    expectedVolume: expectedVolume.trim(),
  }
  const limits = {
    requests: Number(form.requests),
    windowSeconds: Number(form.windowSeconds),
    burstPerSecond: Number(form.burstPerSecond),
    monthlyQuota: Number(form.monthlyQuota),
  }
  return {
    ...stated,
    ...(company.trim() !== '' && { company: company.trim() }),
    tier,
    ...(tier === 'production' && { limits }),
  }
}

/** Returns the form fields that an error of the service names. */
export function findFields({ field, errors }: Failure['details'], form: ApplicationForm): ReadonlySet<string> {
  const listed = Array.isArray(errors) ? errors.map((error: { readonly field?: unknown } | null) => error?.field) : []
  const names = [field, ...listed].map((name) => String(name).replace(/^limits\./, ''))
  return new Set(names.filter((name) => Object.hasOwn(form, name)))
}
