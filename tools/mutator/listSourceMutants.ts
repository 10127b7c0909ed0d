import type { Ast, Node } from '../prover/Ast.ts'
import type { Place } from '../prover/Path.ts'
import { calculations, comparisons, findOwner, getCode, toRange } from '../prover/mutants.ts'

/** A small change of the source code: one range with another text in its place. */
export type SourceMutant = {
  /** The function, the code and its change: `Pool._settle: _pull(origin, originAmount), removed`. */
  readonly name: string
  readonly file: string
  /** In bytes. */
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The fields of solc's syntax tree that the changes read. Each node has some of them. */
type SourceNode = {
  readonly nodeType: string
  readonly id: number
  readonly src: string
  readonly kind?: string
  readonly value?: string
  readonly operator?: string
  readonly leftExpression?: SourceNode
  readonly rightExpression?: SourceNode
  readonly condition?: SourceNode
  readonly trueBody?: SourceNode
  readonly falseBody?: SourceNode | null
  readonly statements?: readonly SourceNode[]
  readonly arguments?: readonly SourceNode[]
  readonly names?: readonly string[]
  readonly referencedDeclaration?: number
  readonly constant?: boolean
  readonly typeDescriptions?: { readonly typeIdentifier?: string }
}

type Change = Omit<SourceMutant, 'name' | 'file'> & { readonly change: string }

const isOrdering = new Set(['<', '<=', '>', '>=', '==', '!='])

/**
 * Lists the mutants of files: comparisons, connectives, operators of arithmetic, conditions, checks, modifiers, statements,
 * arguments and constants, each changed once.
 */
export function listSourceMutants(ast: Ast, files: ReadonlySet<string>): readonly SourceMutant[] {
  const mutants: SourceMutant[] = []
  const names = new Map<string, number>()
  for (const { node, file } of ast.nodes.values()) {
    if (!files.has(file)) continue
    const source = Buffer.from(ast.files.get(file)!.source)
    for (const { change, ...edit } of listChanges(ast, node as SourceNode, source)) {
      const named = node.nodeType === 'Literal' || node.nodeType === 'Identifier' ? findContext(ast, node) : node
      const name = `${findOwner(ast, node)}: ${getCode(ast, named)}, ${change}`
      const count = (names.get(name) ?? 0) + 1
      names.set(name, count)
      mutants.push({ name: count === 1 ? name : `${name} (${count})`, file, ...edit })
    }
  }
  return mutants
}

const contexts = new Set(['Assignment', 'BinaryOperation', 'FunctionCall', 'IndexAccess', 'IndexRangeAccess'])

/** Returns the smallest expression around a constant that distinguishes it from others, or the constant. */
function findContext(ast: Ast, constant: Node): Place {
  const { file } = ast.nodes.get(constant.id)!
  const { start, end } = toRange(constant.src)
  let found: { readonly place: Place; readonly length: number } | undefined
  for (const { node, file: other } of ast.nodes.values()) {
    if (other !== file || !contexts.has(node.nodeType)) continue
    const { kind } = node as SourceNode
    const range = toRange(node.src)
    if (kind === 'typeConversion' || range.start > start || range.end < end) continue
    const length = range.end - range.start
    if (!found || length < found.length) found = { place: node, length }
  }
  return found?.place ?? constant
}

/** Returns the source of the mutated file. */
export function applyMutant(source: string, { start, end, text }: SourceMutant): string {
  const bytes = Buffer.from(source)
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(text), bytes.subarray(end)]).toString()
}

function listChanges(ast: Ast, node: SourceNode, source: Buffer): readonly Change[] {
  switch (node.nodeType) {
    case 'BinaryOperation':
      return changeOperator(node)
    case 'IfStatement':
    case 'Conditional':
    case 'ForStatement':
      return [...negate(node, source), ...(isCheck(node) ? remove(node, source) : [])]
    case 'ExpressionStatement':
    case 'EmitStatement':
    case 'TryStatement':
      return remove(node, source)
    case 'ModifierInvocation':
      return node.kind === 'modifierInvocation' ? [{ change: 'removed', ...toRange(node.src), text: '' }] : []
    case 'Literal':
    case 'Identifier':
      return changeConstant(ast, node, source)
    case 'FunctionCall':
      return exchangeArguments(node, source)
    default:
      return []
  }
}

function changeOperator({ operator = '', leftExpression, rightExpression }: SourceNode): readonly Change[] {
  const { end: start } = toRange(leftExpression!.src)
  const { start: end } = toRange(rightExpression!.src)
  return (comparisons[operator] ?? calculations[operator] ?? []).map((other) => ({
    change: `with ${other} for ${operator}`,
    start,
    end,
    text: ` ${other} `,
  }))
}

/** Negates a condition. The changes of operators already negate those that are comparisons. */
function negate({ condition }: SourceNode, source: Buffer): readonly Change[] {
  if (!condition || isOrdering.has(condition.operator ?? '')) return []
  const { start, end } = toRange(condition.src)
  return [{ change: 'with the condition negated', start, end, text: `!(${source.subarray(start, end).toString()})` }]
}

function isCheck({ nodeType, trueBody, falseBody }: SourceNode): boolean {
  if (nodeType !== 'IfStatement' || falseBody) return false
  const body = trueBody?.nodeType === 'Block' && trueBody.statements?.length === 1 ? trueBody.statements[0] : trueBody
  return body?.nodeType === 'RevertStatement'
}

/** Replaces a statement by an empty block. The range of a statement of solc ends before its semicolon. */
function remove({ src, nodeType }: SourceNode, source: Buffer): readonly Change[] {
  const { start, end } = toRange(src)
  const rest = /^\s*;/.exec(source.subarray(end).toString('latin1'))?.[0]
  // The step of a loop has no semicolon, and cannot be a block.
  if (rest === undefined && nodeType === 'ExpressionStatement') return []
  const endsByBrace = source.subarray(end - 1, end).toString() === '}'
  return [{ change: 'removed', start, end: endsByBrace ? end : end + (rest?.length ?? 0), text: '{}' }]
}

function changeConstant(ast: Ast, node: SourceNode, source: Buffer): readonly Change[] {
  const { start, end } = toRange(node.src)
  const code = source.subarray(start, end).toString()
  const changed = (operator: '+' | '-') => ({
    change: `with ${code} ${operator === '+' ? 'plus' : 'minus'} one`,
    start,
    end,
    text: `(${code} ${operator} 1)`,
  })
  if (node.nodeType === 'Literal') {
    if (node.kind !== 'number' || !node.typeDescriptions?.typeIdentifier?.startsWith('t_rational')) return []
    return node.value === '0' ? [changed('+')] : [changed('+'), changed('-')]
  }
  const declaration = ast.nodes.get(node.referencedDeclaration ?? 0)?.node as SourceNode | undefined
  const isNumber = /^t_u?int/.test(node.typeDescriptions?.typeIdentifier ?? '')
  return declaration?.constant === true && isNumber ? [changed('+'), changed('-')] : []
}

/** Exchanges two neighbouring arguments of one type, also of errors, events and structs. */
function exchangeArguments({ kind, names, arguments: all = [] }: SourceNode, source: Buffer): readonly Change[] {
  if (kind === 'typeConversion' || (names?.length ?? 0) > 0) return []
  return all.flatMap((argument, index) => {
    const next = all[index + 1]
    if (next?.typeDescriptions?.typeIdentifier !== argument.typeDescriptions?.typeIdentifier || !next) return []
    const [first, second] = [toRange(argument.src), toRange(next.src)]
    const [code, nextCode] = [first, second].map(({ start, end }) => source.subarray(start, end).toString())
    if (code === nextCode) return []
    const between = source.subarray(first.end, second.start).toString()
    const change = `with the arguments ${index + 1} and ${index + 2} exchanged`
    return [{ change, start: first.start, end: second.end, text: `${nextCode}${between}${code}` }]
  })
}
