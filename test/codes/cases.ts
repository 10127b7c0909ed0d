import type { ErrorCode } from '@agio/core'
import type { Case } from './Case.ts'
import { conversionCases } from './conversionCases.ts'
import { inputCases } from './inputCases.ts'
import { keyCases } from './keyCases.ts'
import { transactionCases } from './transactionCases.ts'
import { upstreamCases } from './upstreamCases.ts'

/** The case that provokes each code of the catalogue. A code without a case is a type error. */
export const cases: Readonly<Record<ErrorCode, Case>> = {
  ...conversionCases,
  ...inputCases,
  ...transactionCases,
  ...keyCases,
  ...upstreamCases,
}
