import * as Term from './Term.ts'

/** What an expression evaluates to: a term, a struct by its members, or the items of an array or of several returned values. */
export type Value = Term.Term | Struct | readonly Value[]

export type Struct = { readonly members: Readonly<Record<string, Value>> }

/** Returns the term of a value. @throws if the value is a struct or an array */
export function toTerm(value: Value | undefined): Term.Term {
  if (value === undefined || isList(value) || 'members' in value)
    throw new Error('Cannot use a struct or an array as a term')
  return value
}

/** Returns the items of an array or of several returned values. @throws if the value is neither */
export function toList(value: Value | undefined): readonly Value[] {
  if (value === undefined || !isList(value)) throw new Error('Cannot use this value as a list')
  return value
}

/** Returns a member of a struct. @throws if the value is no struct with this member */
export function getMember(value: Value, name: string): Value {
  const member = isList(value) || !('members' in value) ? undefined : value.members[name]
  if (member === undefined) throw new Error(`Cannot find the member ${name}`)
  return member
}

/** Returns one of two values of the same shape by a condition. */
export function chooseValue(when: Term.Term, then: Value, otherwise: Value): Value {
  if (isList(then)) {
    const others = toList(otherwise)
    if (others.length !== then.length) throw new Error('Cannot choose between lists of different lengths')
    return then.map((item, index) => chooseValue(when, item, others[index]!))
  }
  if ('members' in then) throw new Error('Cannot choose between structs')
  return Term.choose(when, then, toTerm(otherwise))
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}
