import type { Ast, Expression, FunctionCall, Node } from './Ast.ts'
import type { Place } from './Path.ts'

/** A small change of the code: one node with another in its place. */
export type Mutant = {
  /** The function, the code before and after the change: `PoolMath.feeOn: Ceil → Floor`. */
  readonly name: string
  readonly replaced: number
  readonly replacement: Node
}

/** The operators that replace a comparison or a connective. */
export const comparisons: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '==': ['!='],
  '!=': ['=='],
  '&&': ['||'],
  '||': ['&&'],
}

/** The operator that replaces each operator of arithmetic. */
export const calculations: Readonly<Record<string, readonly string[]>> = {
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
}

/** Lists the mutants of nodes: roundings, comparisons, constants, operators, factors, branches and checks, each changed once. */
export function listMutants(ast: Ast, ids: Iterable<number>): readonly Mutant[] {
  const mutants: Mutant[] = []
  const names = new Map<string, number>()
  for (const id of [...ids].toSorted((a, b) => a - b)) {
    const declared = ast.nodes.get(id)
    if (!declared?.file.startsWith('contracts/')) continue
    for (const { change, replacement } of listChanges(ast, declared.node)) {
      const name = `${findOwner(ast, declared.node)}: ${change}`
      const count = (names.get(name) ?? 0) + 1
      names.set(name, count)
      mutants.push({ name: count === 1 ? name : `${name} (${count})`, replaced: id, replacement })
    }
  }
  return mutants
}

type Change = { readonly change: string; readonly replacement: Node }

function listChanges(ast: Ast, node: Node): readonly Change[] {
  const code = getCode(ast, node)
  switch (node.nodeType) {
    case 'BinaryOperation':
      return (comparisons[node.operator] ?? calculations[node.operator] ?? []).map((operator) => ({
        change: `${code}, with ${operator} for ${node.operator}`,
        replacement: { ...node, operator },
      }))
    case 'Literal':
      return node.kind === 'number' ? [increase(node, code)] : []
    case 'Identifier': {
      const declaration = ast.nodes.get(node.referencedDeclaration)?.node
      return declaration?.nodeType === 'VariableDeclaration' && declaration.constant && declaration.value
        ? [increase(declaration.value, code, node)]
        : []
    }
    case 'Conditional': {
      const replacement = { ...node, trueExpression: node.falseExpression, falseExpression: node.trueExpression }
      return [{ change: `${code}, with the branches exchanged`, replacement }]
    }
    case 'IfStatement':
      if (node.trueBody.nodeType !== 'RevertStatement') return []
      return [{ change: `${code}, removed`, replacement: { ...node, nodeType: 'Block', statements: [] } }]
    case 'FunctionCall':
      return isMulDiv(node) ? changeDivision(node, code) : exchangeArguments(node, code)
    default:
      return []
  }
}

/** Returns the change of a constant to its value plus one, at its declaration or where it is used. */
function increase(literal: Expression, code: string, place: Expression = literal): Change {
  if (literal.nodeType !== 'Literal') throw new Error(`Cannot change the constant ${code}: its value is not a literal`)
  const [digits = '', zeros = '0'] = literal.value.replaceAll('_', '').split('e')
  const value = (BigInt(digits) * 10n ** BigInt(zeros) + 1n).toString()
  return { change: `${code} plus one`, replacement: { ...literal, id: place.id, src: place.src, value } }
}

function isMulDiv({ expression }: FunctionCall): boolean {
  return expression.nodeType === 'MemberAccess' && expression.memberName === 'mulDiv'
}

function changeDivision(node: FunctionCall, code: string): readonly Change[] {
  const [factor, denominator, rounding] = node.arguments
  const isUp = rounding?.nodeType === 'MemberAccess' && rounding.memberName === 'Ceil'
  const turned = isUp ? [factor!, denominator!] : [factor!, denominator!, roundUp(node)]
  const exchanged = [denominator!, factor!, ...(rounding ? [rounding] : [])]
  return [
    { change: `${code}, rounded ${isUp ? 'down' : 'up'}`, replacement: { ...node, arguments: turned } },
    { change: `${code}, with the arguments exchanged`, replacement: { ...node, arguments: exchanged } },
  ]
}

/** Returns the changes of a call that exchange two neighbouring arguments of one type. */
function exchangeArguments(node: FunctionCall, code: string): readonly Change[] {
  if (node.kind !== 'functionCall') return []
  return node.arguments.flatMap((argument, index) => {
    const next = node.arguments[index + 1]
    if (next?.typeDescriptions.typeIdentifier !== argument.typeDescriptions.typeIdentifier) return []
    const exchanged = node.arguments.with(index, next).with(index + 1, argument)
    const change = `${code}, with the arguments ${index + 1} and ${index + 2} exchanged`
    return [{ change, replacement: { ...node, arguments: exchanged } }]
  })
}

function roundUp({ id, src, typeDescriptions }: FunctionCall): Expression {
  const common = { id, src, typeDescriptions }
  const identifier = { ...common, nodeType: 'Identifier', name: 'Math', referencedDeclaration: 0 } as const
  const type = { ...common, nodeType: 'MemberAccess', expression: identifier, memberName: 'Rounding' } as const
  return { ...type, expression: type, memberName: 'Ceil' }
}

/** Returns the contract and function, or the constant, that contains a node. */
export function findOwner(ast: Ast, { id, src }: Place): string {
  const { file, contract } = ast.nodes.get(id)!
  const { start, end } = toRange(src)
  for (const { node, file: other } of ast.nodes.values()) {
    const isOwner =
      node.nodeType === 'FunctionDefinition' ||
      node.nodeType === 'ModifierDefinition' ||
      (node.nodeType === 'VariableDeclaration' && node.constant)
    const range = toRange(node.src)
    if (!isOwner || other !== file || range.start > start || range.end < end) continue
    const name = node.nodeType === 'FunctionDefinition' ? node.name || node.kind : node.name
    return contract === undefined ? name : `${contract}.${name}`
  }
  return contract ?? file
}

/** Returns the code of a node on one line. */
export function getCode(ast: Ast, { id, src }: Place): string {
  const { start, end } = toRange(src)
  const source = ast.files.get(ast.nodes.get(id)!.file)!.source
  return source.slice(start, end).replaceAll(/\s+/g, ' ')
}

/** Parses a range of solc, `start:length:file`. */
export function toRange(src: string): { readonly start: number; readonly end: number } {
  const [start = 0, length = 0] = src.split(':').map(Number)
  return { start, end: start + length }
}

/**
 * Returns the results that are not as they should be: survivors without a reason, and reasons for mutants that were refuted or do
 * not exist.
 */
export function findUnexplained(
  results: readonly { readonly name: string; readonly refutedBy?: string | undefined }[],
  reasons: ReadonlyMap<string, string>,
  names = results.map(({ name }) => name),
): readonly string[] {
  const gone = [...reasons.keys()].filter((name) => !names.includes(name)).map((name) => `not found: ${name}`)
  const unexpected = results.flatMap(({ name, refutedBy }) => {
    if (refutedBy === undefined) return reasons.has(name) ? [] : [`survived: ${name}`]
    return reasons.has(name) ? [`explained, but refuted by ${refutedBy}: ${name}`] : []
  })
  return [...gone, ...unexpected]
}
