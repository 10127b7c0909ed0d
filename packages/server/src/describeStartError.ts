/**
 * Says in one sentence why the service cannot start, whatever runtime found out.
 *
 * @param port the port that it tried, and the setting that names it
 */
export function describeStartError(error: unknown, port?: describeStartError.Port): string {
  if (!(error instanceof Error)) return String(error)
  const isPortTaken = error.name === 'AddrInUse' || (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
  return isPortTaken && port
    ? `Cannot serve on port ${port.port}: it is taken. Set ${port.variable} to another one`
    : error.message
}

export declare namespace describeStartError {
  type Port = { readonly variable: string; readonly port: number }
}
