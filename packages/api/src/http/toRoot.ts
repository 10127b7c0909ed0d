/**
 * Returns the relative URL of the root of the service from one of its paths. It is the same below any path prefix.
 *
 * @example
 * toRoot('/docs/guide/quotes') // ../../
 */
export function toRoot(path: string): string {
  return '../'.repeat(path.split('/').length - 2) || './'
}
