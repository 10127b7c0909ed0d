import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describeCommit, describeMachine } from '../reports/describeRun.ts'

const root = new URL('../..', import.meta.url)
const page = new URL('docs/reports/reliability.md', root)

/** Adds the outcome of a trial to docs/reports/reliability.md, instead of its previous outcome. Other trials keep theirs. */
export function recordTrial(trial: Trial): void {
  const previous = existsSync(page) ? readFileSync(page, 'utf8') : ''
  const run = { date: new Date().toISOString().slice(0, 10), commit: describeCommit(), machine: describeMachine() }
  writeFileSync(page, addTrial(previous, trial, run))
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

/** When a trial ran, on which commit and machine. */
type Run = { readonly date: string; readonly commit: string; readonly machine: string }

/** A row of the table. Rows from before commits were checked have no commit. */
type Row = Trial & { readonly date: string; readonly commit: string }

/**
 * Returns the document with the trial's row, in the order of the trials' names. Its head describes this run.
 *
 * @param previous the previous document, or an empty text
 */
function addTrial(previous: string, trial: Trial, run: Run): string {
  const { date, commit } = run
  const kept = parseRows(previous).filter((row) => row.trial !== trial.trial)
  const rows = [...kept, { ...trial, date, commit }].toSorted((a, b) => (a.trial < b.trial ? -1 : 1))
  const table = [head, ['---', '---', '---', '---'], ...rows.map(toCells)].map(formatCells).join('\n')
  return `${formatIntroduction(run)}\n${table}\n`
}

const head = ['trial', 'tried', 'result', 'date, commit']

function formatIntroduction({ date, commit, machine }: Run): string {
  return `# Reliability

Last trial: ${date}. Commit: ${commit}. Machine: ${machine}.

\`pnpm test:long\` writes this page. Its trials are in \`test/long/\`, \`test/scale/\` and \`tools/\`. Each runs the real service, on real chains
and real servers, for up to some minutes. CI does not run them. Some need more than Node: PostgreSQL, Redis, or another program that the
trial names. Run one with \`pnpm test:long <file>\`, alone on a machine. A trial that does not run keeps the row of its last run.

The commit of a row is on the main branch. "after" means that the tested code had further changes, which landed later. Rows
without a commit were written before commits were checked.
`
}

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
  return [trial, tried, result, commit === '' ? date : `${date}, ${commit}`]
}

function formatCells(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`
}
