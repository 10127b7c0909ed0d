import { splitUrl } from '@agio/api'

const dotSegment = /[/](?:[.]|%2e){1,2}(?:[/]|$)/i

/**
 * Returns whether the path of a URL, or of a path and query, has neither a backslash nor a segment `.` or `..`. Clients resolve
 * these before they send a request, and runtimes read them differently.
 */
export function isNormalTarget(url: string): boolean {
  const { path } = splitUrl(url)
  return !path.includes('\\') && !dotSegment.test(path)
}
