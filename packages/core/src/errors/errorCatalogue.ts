import type { DetailTypes, DetailTypesOf } from './catalogue/CatalogueEntry.ts'
import { accessErrors } from './catalogue/accessErrors.ts'
import { availabilityErrors } from './catalogue/availabilityErrors.ts'
import { conversionErrors } from './catalogue/conversionErrors.ts'
import { paymentErrors } from './catalogue/paymentErrors.ts'
import { quoteErrors } from './catalogue/quoteErrors.ts'
import { requestErrors } from './catalogue/requestErrors.ts'
import { transactionErrors } from './catalogue/transactionErrors.ts'

export { errorClasses, type ErrorClass } from './catalogue/errorClasses.ts'
export { permitRefusals, type PermitRefusal } from './catalogue/permitRefusals.ts'
export { priceRefusals, type PriceRefusal } from './catalogue/priceRefusals.ts'

/**
 * All error codes of the service with their status, title and fields. The errors of the service, docs/reference/errors.md and the
 * error schemas in openapi.json are derived from this table.
 */
export const errorCatalogue = {
  ...conversionErrors,
  ...quoteErrors,
  ...paymentErrors,
  ...requestErrors,
  ...transactionErrors,
  ...accessErrors,
  ...availabilityErrors,
}

/** A code of the catalogue. */
export type ErrorCode = keyof typeof errorCatalogue

/** All codes, in the order of the catalogue. */
export const errorCodes = Object.keys(errorCatalogue) as readonly ErrorCode[]

/** The fields that an error with this code adds to the common ones. */
export type ErrorDetails<Code extends ErrorCode> = Code extends ErrorCode
  ? {
      readonly [Field in Exclude<(typeof errorCatalogue)[Code]['details'][number], OptionalField<Code>>]: DetailType<
        Code,
        Field
      >
    } & { readonly [Field in OptionalField<Code>]?: DetailType<Code, Field> | undefined }
  : never

type DetailType<Code extends ErrorCode, Field extends keyof DetailTypes> = Code extends keyof DetailTypesOf
  ? Field extends keyof DetailTypesOf[Code]
    ? DetailTypesOf[Code][Field]
    : DetailTypes[Field]
  : DetailTypes[Field]

type OptionalField<Code extends ErrorCode> = (typeof errorCatalogue)[Code] extends {
  readonly optional: readonly (infer Field extends keyof DetailTypes)[]
}
  ? Field
  : never
