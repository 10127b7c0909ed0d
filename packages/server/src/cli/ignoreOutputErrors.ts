import process from 'node:process'

/** Lets this process go on when its standard output or its error output is full or closed. What it prints then is lost. */
export function ignoreOutputErrors(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
}
