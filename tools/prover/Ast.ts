import { compile } from './compile.ts'
import type { Place } from './Path.ts'

/** A node of the syntax tree that solc returns, with the fields that the proofs read. */
export type Node = Expression | Statement | Declaration

type Base<Type extends string> = { readonly nodeType: Type; readonly id: number; readonly src: string }

type Typed = { readonly typeDescriptions: { readonly typeIdentifier: string } }

export type Expression = Typed &
  (
    | (Base<'Literal'> & { readonly kind: string; readonly value: string; readonly subdenomination?: string | null })
    | (Base<'Identifier'> & { readonly name: string; readonly referencedDeclaration: number })
    | MemberAccess
    | BinaryOperation
    | (Base<'Conditional'> & {
        readonly condition: Expression
        readonly trueExpression: Expression
        readonly falseExpression: Expression
      })
    | (Base<'TupleExpression'> & { readonly components: readonly Expression[]; readonly isInlineArray: boolean })
    | (Base<'IndexAccess'> & { readonly baseExpression: Expression; readonly indexExpression: Expression })
    | (Base<'NewExpression'> & { readonly typeName: TypeName })
    | (Base<'ElementaryTypeNameExpression'> & { readonly typeName: TypeName })
    | FunctionCall
  )

export type MemberAccess = Typed &
  Base<'MemberAccess'> & {
    readonly expression: Expression
    readonly memberName: string
    readonly referencedDeclaration?: number
  }

export type BinaryOperation = Typed &
  Base<'BinaryOperation'> & {
    readonly operator: string
    readonly leftExpression: Expression
    readonly rightExpression: Expression
  }

export type FunctionCall = Typed &
  Base<'FunctionCall'> & {
    readonly kind: string
    readonly expression: Expression
    readonly arguments: readonly Expression[]
    readonly names: readonly string[]
  }

export type Statement =
  | Base<'PlaceholderStatement'>
  | Base<'RevertStatement'>
  | (Base<'Block'> & { readonly statements: readonly Statement[] })
  | (Base<'Return'> & { readonly expression?: Expression | null })
  | (Base<'ExpressionStatement'> & { readonly expression: Expression | Assignment })
  | (Base<'VariableDeclarationStatement'> & {
      readonly declarations: readonly (VariableDeclaration | null)[]
      readonly initialValue?: Expression | null
    })
  | (Base<'IfStatement'> & {
      readonly condition: Expression
      readonly trueBody: Statement
      readonly falseBody?: Statement | null
    })

export type Assignment = Base<'Assignment'> & {
  readonly operator: string
  readonly leftHandSide: Expression
  readonly rightHandSide: Expression
}

type TypeName = Base<string> & Typed

type VariableDeclaration = Base<'VariableDeclaration'> & {
  readonly name: string
  readonly constant: boolean
  readonly typeName: TypeName
  readonly value?: Expression
}

type ParameterList = { readonly parameters: readonly VariableDeclaration[] }

export type FunctionDefinition = Base<'FunctionDefinition'> & {
  readonly name: string
  readonly kind: string
  readonly virtual: boolean
  readonly parameters: ParameterList
  readonly returnParameters: ParameterList
  readonly modifiers: readonly ModifierInvocation[]
  readonly body?: Statement | null
}

export type ModifierInvocation = {
  readonly kind: string
  readonly modifierName: { readonly name: string; readonly referencedDeclaration: number }
}

type Declaration =
  | VariableDeclaration
  | FunctionDefinition
  | (Base<'ModifierDefinition'> & {
      readonly name: string
      readonly parameters: ParameterList
      readonly body?: Statement | null
    })
  | (Base<'ContractDefinition'> & {
      readonly name: string
      readonly contractKind: string
      readonly nodes: readonly Node[]
      readonly linearizedBaseContracts: readonly number[]
    })
  | (Base<'StructDefinition'> & { readonly name: string; readonly members: readonly VariableDeclaration[] })

/** A declared node, with the file and the contract that declare it. */
type Declared = { readonly node: Node; readonly file: string; readonly contract?: string | undefined }

/** The syntax trees of a contract and of all files that it imports. */
export type Ast = {
  readonly files: ReadonlyMap<string, { readonly source: string; readonly root: unknown }>
  readonly nodes: ReadonlyMap<number, Declared>
}

/** Compiles a contract with the solc of the project, and returns the syntax trees with types and resolved names. */
export function parseContracts(file: string): Ast {
  const { output, sources } = compile([file], { outputSelection: { '*': { '': ['ast'] } } })
  const trees = Object.entries(output.sources)
  const files = new Map(trees.map(([path, { ast }]) => [path, { source: sources.get(path) ?? '', root: ast }] as const))
  return { files, nodes: indexNodes(files) }
}

function indexNodes(files: Ast['files']): ReadonlyMap<number, Declared> {
  const nodes = new Map<number, Declared>()
  const visit = (value: unknown, file: string, contract?: string): void => {
    if (Array.isArray(value)) return value.forEach((item) => visit(item, file, contract))
    if (value === null || typeof value !== 'object') return
    const node = value as Node
    if (typeof node.id === 'number' && typeof node.nodeType === 'string') nodes.set(node.id, { node, file, contract })
    const inside = node.nodeType === 'ContractDefinition' ? node.name : contract
    for (const part of Object.values(value)) visit(part, file, inside)
  }
  for (const [file, tree] of files) visit(tree.root, file)
  return nodes
}

/** Returns the function of a contract, or its constructor. @throws if it does not have exactly one of that name */
export function getFunction(ast: Ast, contract: string, name: string): FunctionDefinition {
  const found = [...ast.nodes.values()].flatMap(({ node, contract: declaring }) =>
    declaring === contract && node.nodeType === 'FunctionDefinition' && (node.name || node.kind) === name ? [node] : [],
  )
  if (found.length !== 1) throw new Error(`Cannot find ${contract}.${name}: the contract declares ${found.length}`)
  return found[0]!
}

/** Returns where a node is: `PoolMath.sol:42:7`. */
export function locate(ast: Ast, { id, src }: Place): string {
  const file = ast.nodes.get(id)?.file ?? ''
  const before =
    ast.files
      .get(file)
      ?.source.slice(0, Number(src.split(':')[0]))
      .split('\n') ?? []
  return `${file.split('/').at(-1)}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
}
