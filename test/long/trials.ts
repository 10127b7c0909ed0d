import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const root = new URL('../..', import.meta.url)
const page = new URL('docs/reports/reliability.md', root)

/** Adds the outcome of a trial to docs/reports/reliability.md, in place of its previous one. Other trials keep theirs. */
export function recordTrial(trial: Trial): void {
  const previous = existsSync(page) ? readFileSync(page, 'utf8') : ''
  writeFileSync(
    page,
    addTrial(previous, { ...trial, date: new Date().toISOString().slice(0, 10), commit: getCommit() }),
  )
}

/** One trial, in plain sentences for the table. */
export type Trial = {
  /** What is proven; the key of its row. */
  readonly trial: string
  /** What was done to the service, and how often. */
  readonly tried: string
  /** The result: the counts, and what was lost. */
  readonly result: string
}

type Row = Trial & { readonly date: string; readonly commit: string }

/** Returns the document with the row, in the order of the trials' names. `previous` is the document before, or empty. */
export function addTrial(previous: string, row: Row): string {
  const kept = parseRows(previous).filter(({ trial }) => trial !== row.trial)
  const rows = [...kept, row].toSorted((a, b) => (a.trial < b.trial ? -1 : 1))
  return `${introduction}\n${[head, ['---', '---', '---', '---'], ...rows.map(toCells)].map(formatCells).join('\n')}\n`
}

const head = ['trial', 'tried', 'result', 'date, commit']

const introduction = `# Reliability

Written by \`pnpm test:long\`, whose trials are in \`test/long/\`. Each runs the real service, on real chains and real servers, for
up to some minutes. CI does not run them. Some need more than Node: PostgreSQL, Redis, or another program that the trial names.
Run one with \`pnpm test:long <file>\`, alone on a machine. A trial that does not run keeps the row of its last run.
`

function parseRows(document: string): readonly Row[] {
  const lines = document.split('\n').filter((line) => line.startsWith('| '))
  return lines.slice(2).map((line) => {
    const cells = line.slice(2, -2).split(/ (?<!\\)\| /)
    const [trial = '', tried = '', result = '', made = ''] = cells.map((cell) => cell.replaceAll('\\|', '|'))
    const [date = '', commit = ''] = made.split(', ')
    return { trial, tried, result, date, commit }
  })
}

function toCells({ trial, tried, result, date, commit }: Row): readonly string[] {
  return [trial, tried, result, `${date}, ${commit}`]
}

function formatCells(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`
}

/** The commit under test, with `+` if a file differs from it. */
function getCommit(): string {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const isChanged = git('status', '--porcelain', '--', '.', ':!docs/reports/reliability.md') !== ''
  return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? '+' : ''}`
}
