// Changes the TypeScript of the service in small ways, and counts the changes that the tests notice: `node tools/codeMutator/main.ts`.
// `--seed` and `--count` choose the mutants, `--root` the checkout in which they run, and `--other` a second checkout: mutants are then of
// files that are the same in both, so that two suites can be compared. `--out` names a file for the list.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import ts from '@typescript/typescript6'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '30' },
    root: { type: 'string', default: join(import.meta.dirname, '../..') },
    other: { type: 'string' },
    out: { type: 'string' },
  },
})
const { root, other = root, seed } = values
const packages = ['core', 'chain', 'store', 'api', 'sdk']
const generated = /\.test\.tsx?$|\/abi\/|sdk\/src\/(admin\/adminSchemas|api\/(AgioApi|schemas))\.ts$|\/testing/
const limitMs = 120_000

const operators = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
  [ts.SyntaxKind.SlashToken, '*'],
])

const chosen = packages.flatMap((name) => sample(name, Number(values.count) / packages.length))
const lines: string[] = []
for (const mutant of chosen) {
  const start = performance.now()
  const outcome = await tryMutant(mutant)
  lines.push(`${outcome} | ${Math.round((performance.now() - start) / 1000)} s | ${mutant.name}`)
  console.log(lines.at(-1))
  if (values.out !== undefined) writeFileSync(values.out, `${lines.join('\n')}\n`)
}
console.log(`${lines.filter((line) => line.startsWith('found')).length} of ${lines.length} found`)

/** Chooses mutants of a package by the hash of their names, so that a list of candidates with one more changes nothing else. */
function sample(name: string, count: number): readonly Mutant[] {
  return globSync(`packages/${name}/src/**/*.ts`, { cwd: root })
    .filter((file) => !generated.test(file) && isSame(file))
    .flatMap((file) => listMutants(root, file))
    .map((mutant) => ({ mutant, order: createHash('sha256').update(`${seed} ${mutant.name}`).digest('hex') }))
    .toSorted((a, b) => (a.order < b.order ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant)
}

function isSame(file: string): boolean {
  const path = join(other, file)
  return existsSync(path) && readFileSync(path, 'utf8') === readFileSync(join(root, file), 'utf8')
}

/** Runs the unit tests, the conformance suite on Node and the other tests that import a changed file, until one fails. */
async function tryMutant({ file, start, end, text }: Mutant): Promise<'found' | 'not found' | 'late'> {
  const path = join(root, file)
  const source = readFileSync(path, 'utf8')
  const deadline = performance.now() + limitMs
  writeFileSync(path, source.slice(0, start) + text + source.slice(end))
  try {
    for (const command of [
      ['related', file, '--run', '--project', 'unit', '--project', 'timers'],
      ['run', '--project', 'integration', 'test/conformance'],
      ['related', file, '--run', '--project', 'integration'],
    ]) {
      const status = await runTests(command, deadline - performance.now())
      if (status !== 'passed') return status
    }
    return 'not found'
  } finally {
    writeFileSync(path, source)
  }
}

async function runTests(command: readonly string[], timeoutMs: number): Promise<'passed' | 'found' | 'late'> {
  if (timeoutMs <= 0) return 'late'
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, ...command, '--bail=1', '--passWithNoTests', '--reporter=dot']
  // A process group of its own, so that its workers end with it.
  const tests = spawn(process.execPath, args, { cwd: root, stdio: 'ignore', detached: true })
  const { promise, resolve } = Promise.withResolvers<'passed' | 'found' | 'late'>()
  const timer = setTimeout(() => resolve('late'), timeoutMs)
  tests.once('close', (code) => resolve(code === 0 ? 'passed' : 'found'))
  const outcome = await promise
  clearTimeout(timer)
  if (outcome === 'late') process.kill(-(tests.pid ?? 0), 'SIGKILL')
  return outcome
}

/** A small change of a source file: one range with another text in its place. */
type Mutant = {
  /** The path from the root of the repository. */
  readonly file: string
  readonly line: number
  readonly start: number
  readonly end: number
  readonly text: string
  /** The changed code, and the change. */
  readonly name: string
}

type Change = Pick<Mutant, 'start' | 'end' | 'text'>

/** Lists the mutants of a file: operators, conditions, numbers and statements that call a function, each changed once. */
function listMutants(root: string, file: string): readonly Mutant[] {
  const source = readFileSync(join(root, file), 'utf8')
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const mutants: Mutant[] = []
  const visit = (node: ts.Node): void => {
    for (const change of listChanges(node)) mutants.push(toMutant(tree, file, change))
    if (!ts.isTypeNode(node)) ts.forEachChild(node, visit)
  }
  ts.forEachChild(tree, visit)
  return mutants
}

function toMutant(tree: ts.SourceFile, file: string, change: Change): Mutant {
  const line = tree.getLineAndCharacterOfPosition(change.start).line + 1
  const code = tree.text.slice(change.start, change.end).replaceAll(/\s+/g, ' ').slice(0, 80)
  return { ...change, file, line, name: `${file}:${line}: ${code} → ${change.text.slice(0, 80) || 'removed'}` }
}

function listChanges(node: ts.Node): readonly Change[] {
  if (ts.isBinaryExpression(node)) {
    const text = operators.get(node.operatorToken.kind)
    return text === undefined ? [] : [replace(node.operatorToken, text)]
  }
  if (ts.isIfStatement(node)) return [negate(node.expression)]
  if (ts.isConditionalExpression(node)) return [negate(node.condition)]
  if (ts.isNumericLiteral(node)) return [replace(node, `(${node.getText()} + 1)`)]
  if (ts.isBigIntLiteral(node)) return [replace(node, `(${node.getText()} + 1n)`)]
  if (ts.isExpressionStatement(node)) return [replace(node, '')]
  return []
}

function negate(condition: ts.Expression): Change {
  return replace(condition, `!(${condition.getText().replaceAll(/\s+/g, ' ')})`)
}

function replace(node: ts.Node, text: string): Change {
  return { start: node.getStart(), end: node.getEnd(), text }
}
