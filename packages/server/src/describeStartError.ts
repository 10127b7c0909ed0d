/** Says in one sentence why the service cannot start, whatever runtime found out. */
export function describeStartError(
  error: unknown,
  { PORT = '3000' }: Readonly<Record<string, string | undefined>>,
): string {
  if (!(error instanceof Error)) return String(error)
  const isPortTaken = error.name === 'AddrInUse' || (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
  return isPortTaken ? `Cannot serve on port ${PORT}: it is taken. Set PORT to another one` : error.message
}
