import { Errors } from '@agio/core'

/**
 * Asserts that fields which the schema of a request leaves optional are there.
 *
 * @throws `svc/invalid-request` that names the first missing one
 */
export function requireFields<Input extends object, Name extends keyof Input & string>(
  input: Input,
  names: readonly Name[],
): asserts input is Input & { readonly [Key in Name]: Exclude<Input[Key], undefined> } {
  const field = names.find((name) => input[name] === undefined)
  if (field === undefined) return
  throw Errors.invalidRequest({ field, reason: 'it is missing' })
}

/**
 * Asserts that a request has none of some fields.
 *
 * @param reason why, for the message
 * @throws `svc/invalid-request` that names the first one
 */
export function refuseFields<Input extends object>(
  input: Input,
  names: readonly (keyof Input & string)[],
  reason: string,
): void {
  const field = names.find((name) => input[name] !== undefined)
  if (field === undefined) return
  throw Errors.invalidRequest({ field, value: input[field], reason })
}
