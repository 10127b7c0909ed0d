import process from 'node:process'

/** Lets this process continue when its standard output or error output is full or closed. Further output is lost. */
export function ignoreOutputErrors(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
}
