import { globSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Returns the lines of code of a package, without tests, generated files, comments and blank lines. */
export function countCode(name: string): number {
  return globSync(`packages/${name}/src/**/*.{ts,tsx}`, { cwd: root })
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .map((path) => readFileSync(`${root}${path}`, 'utf8'))
    .filter((text) => !text.startsWith('// Generated'))
    .reduce((lines, text) => lines + countLines(text), 0)
}

function countLines(text: string): number {
  const code = text.replaceAll(/^\s*\/\*[\s\S]*?\*\/\s*$/gm, '')
  return code.split('\n').filter((line) => !/^\s*(\/\/|$)/.test(line)).length
}

if (import.meta.main) for (const name of process.argv.slice(2)) process.stdout.write(`${name} ${countCode(name)}\n`)
