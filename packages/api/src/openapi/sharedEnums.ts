import { errorCatalogue, errorCodes, Network, Scope, Tier, TransactionState } from '@agio/core'
import { keyKinds } from '../admin/keyRestrictions.ts'
import { conversionModes, marketStates, oracleMoments, transactionStates } from '../schema/fields.ts'
import { gasEstimateSources } from '../schema/transactions.ts'
import { permitKinds } from '../schema/permit.ts'
import { deliveryStates } from '../webhooks/deliveries.ts'
import { deliveredEvents, webhookEvents } from '../webhooks/events.ts'
import { disabledReasons, signatures } from '../webhooks/webhookRecord.ts'

/** The enumerations that several schemas use, by name. */
export const sharedEnums: Readonly<Record<string, SharedEnum>> = {
  ChainId: {
    type: 'integer',
    enum: Network.chainIds,
    description: 'Chain id of the network',
    example: Network.defaultChainId,
  },
  ConversionMode: oneOf(
    conversionModes,
    'The fixed amount: the input for `exact-in`, the output for `exact-out`',
    'exact-in',
  ),
  ErrorAction: oneOf([...new Set(Object.values(errorCatalogue).map(({ action }) => action))], 'What to do next'),
  ErrorCode: oneOf(errorCodes, 'Code of an error'),
  Finality: oneOf(TransactionState.finalities, 'How final the block of a transaction is', 'finalized'),
  GasEstimateSource: oneOf(gasEstimateSources, 'How the gas of a conversion was found', 'call-as-if'),
  KeyKind: oneOf(keyKinds, '`secret` for servers, `publishable` for pages', 'secret'),
  MarketState: oneOf(marketStates, 'Whether the markets of a conversion are open', 'open'),
  OracleMoment: oneOf(oracleMoments, "Source of the prices of a receipt's oracle amount", 'execution'),
  PermitKind: oneOf(permitKinds, '`permit` for EIP-2612 of the token, `permit2` for Permit2', 'permit'),
  Scope: oneOf(Scope.names, `Part of the API that a key may use. ${Scope.formatMeanings()}`, 'read'),
  TrackedState: oneOf(
    TransactionState.statuses,
    '`pending`: not mined. `included`, `safe`, `finalized`: succeeded, by the finality of its block. `failed`: reverted. `replaced`: another transaction used its nonce. `dropped`: no node has it, and its deadline has passed. `reorged`: no longer in the block of the cursor',
    'included',
  ),
  Tier: oneOf(Tier.names, 'Tier of a key, which sets its limits', 'standard'),
  TransactionState: oneOf(
    transactionStates,
    '`pending` until the transaction is mined, then `success`, or `failed` if it reverted',
    'success',
  ),
  WebhookDeliveryState: oneOf(deliveryStates, 'Whether an event was delivered', 'delivered'),
  WebhookDisabledReason: oneOf(disabledReasons, 'Why a webhook is disabled', 'failing'),
  WebhookDeliveredEventType: oneOf(deliveredEvents, 'Type of a delivered event', 'transaction.finalized'),
  WebhookEventType: oneOf(webhookEvents, 'Type of an event', 'transaction.finalized'),
  WebhookSignature: oneOf(signatures, '`v1` for a shared secret, `v1a` for ed25519 with a public key', 'v1'),
}

/** Returns a type that has one of some texts. */
function oneOf(values: readonly unknown[], description: string, example?: string): SharedEnum {
  return { type: 'string', enum: values, description, ...(example !== undefined && { example }) }
}

type SharedEnum = {
  readonly type: 'integer' | 'string'
  readonly enum: readonly unknown[]
  readonly description: string
  readonly example?: unknown
}

/**
 * Returns a part of a document with its enumerations replaced by references to the shared enumerations, so that
 * generators create one type for each. A schema that accepts only some error codes lists them in addition to the
 * reference.
 */
export function referToEnums(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referToEnums)
  if (typeof value !== 'object' || value === null) return value
  const values = 'enum' in value && Array.isArray(value.enum) ? value.enum : undefined
  const name = values && findName(values)
  if (values && name !== undefined) return toReference(value, name, values)
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, referToEnums(entry)]))
}

function findName(values: readonly unknown[]): string | undefined {
  const isSame = (other: readonly unknown[]) => JSON.stringify(other) === JSON.stringify(values)
  const found = Object.entries(sharedEnums).find(([, shared]) => isSame(shared.enum))
  if (found) return found[0]
  return values.every((code) => (errorCodes as readonly unknown[]).includes(code)) ? 'ErrorCode' : undefined
}

function toReference(schema: object, name: string, values: readonly unknown[]): object {
  const shared = sharedEnums[name]
  const entries = Object.entries(schema).filter(
    ([key, entry]) => key !== 'type' && key !== 'enum' && entry !== shared?.[key as keyof SharedEnum],
  )
  const isPart = values.length !== shared?.enum.length
  return { $ref: `#/components/schemas/${name}`, ...(isPart && { enum: values }), ...Object.fromEntries(entries) }
}
