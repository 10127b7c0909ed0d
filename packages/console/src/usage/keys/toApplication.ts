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

/** Returns the form field that an error of the service names, or undefined. */
export function findField(field: unknown, form: ApplicationForm): keyof ApplicationForm | undefined {
  const name = String(field).replace(/^limits\./, '')
  return Object.keys(form).find((key): key is keyof ApplicationForm => key === name)
}
