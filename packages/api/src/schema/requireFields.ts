import { Errors } from '@agio/core'

/**
 * Asserts that a request has some fields that its schema declares as optional.
 *
 * @throws `svc/invalid-request` with all missing fields
 */
export function requireFields<Input extends object, Name extends keyof Input & string>(
  input: Input,
  names: readonly Name[],
): asserts input is Input & { readonly [Key in Name]: Exclude<Input[Key], undefined> } {
  const [first, ...more] = names
    .filter((name) => input[name] === undefined)
    .map((field) => Errors.invalidRequest({ field, reason: 'it is missing' }))
  if (first) throw Errors.inputErrors([first, ...more])
}

/**
 * Asserts that a request does not have some fields.
 *
 * @param reason the reason for the message
 * @throws `svc/invalid-request` with the first of these fields in the request
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
