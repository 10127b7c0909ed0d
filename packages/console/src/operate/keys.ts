import type { Failure } from '@agio/react/internal'
import type { ApiKey, IssueApiKeyInput, KeyStats, UpdateApiKeyInput } from '@agio/sdk/admin'
import type { Explanation } from '@agio/sdk/messages'
import type { Tone } from '../ui/Notice.tsx'

/** Whether a key works: it was not revoked and has not expired. */
export function isActive({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: number): boolean {
  return revokedAt === undefined && !(expiresAt !== undefined && Date.parse(expiresAt) <= now)
}

/** Lists how a key differs from a secret key that works everywhere and may do all but rotate itself. */
export function listKeyBadges(key: KeyFields, now: number): readonly KeyBadge[] {
  const badges: KeyBadge[] = []
  if (key.revokedAt !== undefined) badges.push({ text: 'Revoked', tone: 'danger' })
  else if (!isActive(key, now)) badges.push({ text: 'Expired', tone: 'danger' })
  if (key.kind === 'publishable') badges.push({ text: 'Publishable', tone: 'accent' })
  else if (isRestricted(key)) badges.push({ text: 'Restricted', tone: 'neutral' })
  return badges
}

type KeyFields = Partial<ApiKey>

type KeyBadge = { readonly text: string; readonly tone: Tone }

function isRestricted({ scopes, allowedCidrs, allowedOrigins }: KeyFields): boolean {
  const lacksScope = scopes !== undefined && usualScopes.some((scope) => !scopes.includes(scope))
  return lacksScope || allowedCidrs !== undefined || allowedOrigins !== undefined
}

/** The sort column of the key table and its direction. */
export type Order = { readonly column: Column; readonly isAscending: boolean }

/** A column of the key table. */
export type Column = 'name' | 'company' | 'tier' | 'createdAt' | 'lastUsedAt' | 'calls' | 'refused' | 'remaining'

/** Sorts keys by a column. Keys without a value come last. Keys with equal values keep their order. */
export function sortKeys(keys: readonly KeyStats[], { column, isAscending }: Order): readonly KeyStats[] {
  const sign = isAscending ? 1 : -1
  return keys.toSorted((one, other) => {
    const [first, second] = [one[column], other[column]]
    if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined)
    return sign * compare(first, second)
  })
}

/** Returns the order after a click on a column. Numbers and times start descending, texts ascending. */
export function toNextOrder(order: Order, column: Column): Order {
  if (order.column === column) return { column, isAscending: !order.isAscending }
  return { column, isAscending: column === 'name' || column === 'company' || column === 'tier' }
}

function compare(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return String(one).localeCompare(String(other), 'en', { sensitivity: 'base', numeric: true })
}

/** Returns the key table as text with a header. Times are in ISO 8601, and missing values are empty. */
export function toKeyRows(keys: readonly KeyStats[]): readonly (readonly string[])[] {
  const header = ['Id', 'Prefix', 'Name', 'Company', 'Tier', 'Created', 'Last used', 'Revoked']
  return [
    [...header, 'Calls', 'Refused', 'Quota', 'Quota left'],
    ...keys.map((key) => {
      const { id, prefix, name, company, tier, createdAt, lastUsedAt, revokedAt, calls, refused, quota, remaining } =
        key
      const values = [
        id,
        prefix,
        name,
        company,
        tier,
        createdAt,
        lastUsedAt,
        revokedAt,
        calls,
        refused,
        quota,
        revokedAt === undefined ? remaining : undefined,
      ]
      return values.map((value) => String(value ?? ''))
    }),
  ]
}

/** The fields of the form for a key: texts as they are entered. */
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
  readonly kind: ApiKey['kind']
  readonly scopes: readonly Scope[]
  /** A local time, or empty. */
  readonly expiresAt: string
  /** Separated by spaces or commas. Empty for any origin. */
  readonly allowedOrigins: string
  /** Separated by spaces or commas. Empty for any address. */
  readonly allowedCidrs: string
  readonly isCidrDryRun: boolean
}

/** A tier that a new key may have. */
export type IssuedTier = NonNullable<IssueApiKeyInput['tier']>

/** A part of the API that a key may use. */
export type Scope = NonNullable<ApiKey['scopes']>[number]

/** All scopes, in the order of the service. */
export const allScopes: readonly Scope[] = ['read', 'build', 'broadcast', 'webhooks', 'usage', 'faucet', 'rotate']

/** The default scopes of a new secret key. */
export const usualScopes = allScopes.filter((scope) => scope !== 'rotate')

/** The form of a new key. */
export const emptyForm: ApplicationForm = {
  name: '',
  company: '',
  email: '',
  useCase: '',
  expectedVolume: '',
  tier: 'standard',
  requests: '1000',
  windowSeconds: '60',
  burstPerSecond: '50',
  monthlyQuota: '1000000',
  kind: 'secret',
  scopes: usualScopes,
  expiresAt: '',
  allowedOrigins: '',
  allowedCidrs: '',
  isCidrDryRun: false,
}

/** Returns the form of a key. */
export function toForm(key: ApiKey): ApplicationForm {
  const { name, company = '', email, useCase, expectedVolume, kind, scopes = allScopes, expiresAt } = key
  return {
    ...emptyForm,
    name,
    company,
    email,
    useCase,
    expectedVolume,
    kind,
    scopes,
    expiresAt: expiresAt === undefined ? '' : toLocalTime(expiresAt),
    allowedOrigins: key.allowedOrigins?.join('\n') ?? '',
    allowedCidrs: key.allowedCidrs?.join('\n') ?? '',
    isCidrDryRun: key.isCidrDryRun ?? false,
  }
}

/** Returns a time in the time zone of the browser, as a field for local times reads it. */
function toLocalTime(time: string): string {
  const ms = Date.parse(time)
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/**
 * Converts the form to the input of the request. Limits are sent only for the tier `production`. What is empty is left out.
 */
export function toApplication(form: ApplicationForm): IssueApiKeyInput {
  const { tier, kind } = form
  const limits = {
    requests: Number(form.requests),
    windowSeconds: Number(form.windowSeconds),
    burstPerSecond: Number(form.burstPerSecond),
    monthlyQuota: Number(form.monthlyQuota),
  }
  const { company, scopes, expiresAt, allowedOrigins, allowedCidrs, isCidrDryRun, ...stated } = toStated(form)
  return {
    ...stated,
    ...(company !== null && { company }),
    tier,
    ...(tier === 'production' && { limits }),
    ...(kind === 'publishable' ? { kind } : { scopes }),
    ...(expiresAt !== null && { expiresAt }),
    ...(allowedOrigins && { allowedOrigins }),
    ...(allowedCidrs && { allowedCidrs, isCidrDryRun }),
  }
}

/** Converts the form to the change of a key. What is empty is removed. */
export function toChange(form: ApplicationForm, key: ApiKey): UpdateApiKeyInput {
  const { scopes, ...stated } = toStated(form)
  const hadScopes = key.scopes ?? allScopes
  const isSame = hadScopes.length === scopes.length && hadScopes.every((scope) => scopes.includes(scope))
  return { id: key.id, ...stated, ...(!isSame && { scopes }) }
}

function toStated(form: ApplicationForm) {
  const { company, scopes, expiresAt, isCidrDryRun } = form
  return {
    name: form.name.trim(),
    email: form.email.trim(),
    useCase: form.useCase.trim(),
    expectedVolume: form.expectedVolume.trim(),
    company: company.trim() === '' ? null : company.trim(),
    scopes: allScopes.filter((scope) => scopes.includes(scope)),
    expiresAt: expiresAt === '' ? null : new Date(expiresAt).toISOString(),
    allowedOrigins: toList(form.allowedOrigins),
    allowedCidrs: toList(form.allowedCidrs),
    isCidrDryRun,
  }
}

function toList(text: string): string[] | null {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '')
  return entries.length === 0 ? null : entries
}

/** Returns the form fields that an error of the service names. */
export function findFields({ field, errors }: Failure['details'], form: ApplicationForm): ReadonlySet<string> {
  const listed = Array.isArray(errors) ? errors.map((error: { readonly field?: unknown } | null) => error?.field) : []
  const names = [field, ...listed].map((name) =>
    String(name)
      .replace(/^limits\./, '')
      .replace(/\.\d+$/, ''),
  )
  return new Set(names.filter((name) => Object.hasOwn(form, name)))
}

/** Explains the codes that have another meaning for calls with the admin key. Returns undefined for all other codes. */
export function explainAdminError(code: string): Explanation | undefined {
  return explanations[code]
}

const explanations: Readonly<Record<string, Explanation>> = {
  'svc/unauthorized': {
    title: 'The admin key is wrong',
    next: 'Enter the key of an operator. API keys do not work here. A service with ADMIN_PORT accepts it only there.',
    tone: 'danger',
  },
  // Without operators, the service has no operator endpoints.
  'svc/not-found': {
    title: 'This service has no admin key',
    next: 'To manage keys here, start the service with ADMIN_KEY or ADMIN_KEYS.',
    tone: 'warning',
  },
  'svc/rate-limited': {
    title: 'Too many attempts',
    next: 'This address has sent too many wrong keys. Valid API keys keep working.',
    tone: 'warning',
  },
}
