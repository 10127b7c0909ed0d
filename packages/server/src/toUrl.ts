/** The URL of a server: an IPv6 address stands in brackets. */
export function toUrl({ host, port }: { readonly host: string; readonly port: number }): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
