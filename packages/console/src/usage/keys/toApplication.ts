import type { IssueApiKeyInput } from '@agio/sdk/admin'

/** What the form of a new key holds, as text. */
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

export type IssuedTier = NonNullable<IssueApiKeyInput['tier']>

/** Returns the application of a form: limits for the tier `production` alone, and no company if it is empty. */
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

/** Returns the field of the form that an error of the service is about; undefined if it is about none. */
export function findField(field: unknown, form: ApplicationForm): keyof ApplicationForm | undefined {
  const name = String(field).replace(/^limits\./, '')
  return Object.keys(form).find((known): known is keyof ApplicationForm => known === name)
}
