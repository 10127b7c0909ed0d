/** Lists the methods of a path by those that it defines: `HEAD` exists wherever `GET` does. */
export function listAllowedMethods(defined: readonly string[]): readonly string[] {
  return (defined.includes('GET') ? ['HEAD', ...defined] : [...defined]).toSorted()
}

/** Returns the methods of a path as in the header `Allow`, by those that it defines: every path takes `OPTIONS`. */
export function formatAllow(defined: readonly string[]): string {
  return [...listAllowedMethods(defined), 'OPTIONS'].join(', ')
}
