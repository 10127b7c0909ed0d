import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from '@typescript/typescript6'

/** A small change of a source file: one range with another text in its place. */
export type Mutant = {
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

/** Lists the mutants of a file: operators, conditions, numbers and statements that call a function, each changed once. */
export function listMutants(root: string, file: string): readonly Mutant[] {
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
