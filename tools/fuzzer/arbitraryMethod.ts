import fc from 'fast-check'

/** A method that most paths do not allow, or an invalid one. */
export const arbitraryMethod: fc.Arbitrary<string> = fc.constantFrom(
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'QUERY',
  'PROPFIND',
  'PURGE',
  'M-SEARCH',
  'LINK',
  'LOCK',
  'SOURCE',
  'get',
  'Post',
  'FOO',
  'PRI',
  'G',
  'GET\t',
  '__proto__',
  'X'.repeat(1000),
)
