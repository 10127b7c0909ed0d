import { locate, type Ast, type Assignment, type Expression, type FunctionDefinition, type Node } from './Ast.ts'
import type { ModifierInvocation, Statement } from './Ast.ts'
import { evaluate, toIndex } from './expressions.ts'
import type { Path } from './Path.ts'
import * as Term from './Term.ts'
import { chooseValue, toList, toTerm, type Value } from './Value.ts'

/** What a call reads: the immutables of its contract by their declaration, the variables by name, and other contracts. */
export type State = {
  readonly immutables: ReadonlyMap<number, Value>
  readonly variables: ReadonlyMap<string, Value>
  readonly read: (name: string, args: readonly Term.Term[]) => Term.Term
}

/** Nodes that replace others, by the id of the replaced node. */
export type Replacements = ReadonlyMap<number, Node>

/** How the interpreter treats each modifier. A modifier that is not listed is an error. */
const modifiers: Readonly<Record<string, 'run' | 'skip'>> = {
  // Its check of `frozen` is a hypothesis.
  notFrozen: 'run',
  // It only reverts a call from inside another call of the pool.
  nonReentrantView: 'skip',
}

type Locals = Map<number, Value>

/** A call of a function: its variables by their declaration. */
type Frame = { readonly definition: FunctionDefinition; readonly locals: Locals }

/**
 * Runs functions of a syntax tree on terms. It knows what the functions of a pool use, and throws for any other node, so that no
 * proof is about code which the interpreter has misread.
 */
export class Interpreter {
  readonly ast: Ast
  readonly path: Path
  readonly state: State
  readonly #replacements: Replacements
  /** The ids of all nodes that were run. */
  readonly visited: Set<number>

  constructor(ast: Ast, options: Interpreter.Options) {
    this.ast = ast
    this.path = options.path
    this.state = options.state
    this.visited = options.visited ?? new Set()
    this.#replacements = options.replacements ?? new Map()
  }

  /** Calls a function and returns its value: a list if it returns several. */
  call(definition: FunctionDefinition, args: readonly Value[]): Value {
    const locals = this.#bind(definition, args)
    for (const { id, typeName } of definition.returnParameters.parameters) {
      if (typeName.typeDescriptions.typeIdentifier === 't_uint256') locals.set(id, Term.integer(0))
    }
    if (definition.body?.nodeType !== 'Block') throw this.unsupported(definition, 'a function without a body')
    const before = definition.modifiers.flatMap((invocation) => this.#listChecks(definition, invocation))
    return this.#run([...before, ...definition.body.statements], { definition, locals })
  }

  /** Runs a constructor, and returns the immutables that it sets by their declaration. */
  construct(definition: FunctionDefinition, args: readonly Value[]): ReadonlyMap<number, Value> {
    const locals = this.#bind(definition, args)
    const others = definition.modifiers.filter(({ kind }) => kind !== 'baseConstructorSpecifier')
    if (definition.body?.nodeType !== 'Block' || others.length > 0)
      throw this.unsupported(definition, 'this constructor')
    this.#run(definition.body.statements, { definition, locals })
    return locals
  }

  /** Returns the node that takes the place of a node, and marks the node as run. */
  visit<T extends Node>(node: T): T {
    this.visited.add(node.id)
    return (this.#replacements.get(node.id) as T | undefined) ?? node
  }

  /** Returns the error for a node that the interpreter does not know. */
  unsupported(node: Pick<Node | Assignment, 'id' | 'src' | 'nodeType'>, what: string = node.nodeType): Error {
    return new Error(`Cannot translate ${what} at ${locate(this.ast, node)}`)
  }

  /** Marks a function as run, and returns its arguments by their declaration. */
  #bind(definition: FunctionDefinition, args: readonly Value[]): Locals {
    this.visited.add(definition.id)
    const { parameters } = definition.parameters
    if (parameters.length !== args.length) throw this.unsupported(definition, 'the number of arguments')
    return new Map(parameters.map(({ id }, index) => [id, args[index]!]))
  }

  #listChecks(definition: FunctionDefinition, { modifierName }: ModifierInvocation): readonly Statement[] {
    const treatment = modifiers[modifierName.name]
    const modifier = this.ast.nodes.get(modifierName.referencedDeclaration)?.node
    if (treatment === undefined || modifier?.nodeType !== 'ModifierDefinition' || modifier.body?.nodeType !== 'Block') {
      throw this.unsupported(definition, `the modifier ${modifierName.name}`)
    }
    if (treatment === 'skip') return []
    const { statements } = modifier.body
    if (statements.at(-1)?.nodeType !== 'PlaceholderStatement') throw this.unsupported(modifier)
    return statements.slice(0, -1)
  }

  /** Runs statements to their return. At the end of a function, its named values return. */
  #run(statements: readonly Statement[], frame: Frame): Value {
    const [original, ...rest] = statements
    if (!original) return this.#returnNamed(frame)
    const { locals } = frame
    const statement = this.visit(original)
    switch (statement.nodeType) {
      case 'Block':
        return this.#run([...statement.statements, ...rest], frame)
      case 'Return':
        if (!statement.expression) throw this.unsupported(statement, 'a return without a value')
        return evaluate(this, statement.expression, locals)
      case 'VariableDeclarationStatement': {
        const [declaration, ...others] = statement.declarations
        if (!declaration || others.length > 0 || !statement.initialValue) throw this.unsupported(statement)
        locals.set(declaration.id, evaluate(this, statement.initialValue, locals))
        return this.#run(rest, frame)
      }
      case 'ExpressionStatement':
        this.#execute(statement.expression, locals)
        return this.#run(rest, frame)
      case 'IfStatement':
        return this.#branch(statement, rest, frame)
      default:
        throw this.unsupported(statement)
    }
  }

  #returnNamed({ definition, locals }: Frame): Value {
    const values = definition.returnParameters.parameters.map(({ id, name }) => {
      const value = locals.get(id)
      if (value === undefined) throw this.unsupported(definition, `the value ${name}, which is not set,`)
      return value
    })
    return values.length === 1 ? values[0]! : values
  }

  #branch(statement: Statement & { nodeType: 'IfStatement' }, rest: readonly Statement[], frame: Frame): Value {
    if (statement.falseBody) throw this.unsupported(statement, 'else')
    const condition = toTerm(evaluate(this, statement.condition, frame.locals))
    const body = statement.trueBody.nodeType === 'Block' ? statement.trueBody.statements : [statement.trueBody]
    if (body.length === 1 && body[0]!.nodeType === 'RevertStatement') {
      this.path.require(Term.not(condition))
      return this.#run(rest, frame)
    }
    if (body.at(-1)?.nodeType !== 'Return') throw this.unsupported(statement, 'a branch that does not return')
    const decided = this.path.decide(condition)
    if (decided !== undefined) return this.#run(decided ? body : rest, frame)
    const inBranch = { ...frame, locals: new Map(frame.locals) }
    const then = this.path.under(condition, () => this.#run(body, inBranch))
    const otherwise = this.path.under(Term.not(condition), () => this.#run(rest, frame))
    return chooseValue(condition, then, otherwise)
  }

  #execute(expression: Expression | Assignment, locals: Locals): void {
    if (expression.nodeType === 'Assignment') return this.#assign(expression, locals)
    if (expression.nodeType !== 'FunctionCall') throw this.unsupported(expression)
    evaluate(this, expression, locals)
  }

  #assign(assignment: Assignment, locals: Locals): void {
    const { operator, leftHandSide: left } = assignment
    if (operator !== '=') throw this.unsupported(assignment, operator)
    const value = evaluate(this, assignment.rightHandSide, locals)
    if (left.nodeType === 'Identifier') {
      locals.set(left.referencedDeclaration, value)
      return
    }
    if (left.nodeType !== 'IndexAccess' || left.baseExpression.nodeType !== 'Identifier') throw this.unsupported(left)
    const { referencedDeclaration } = left.baseExpression
    const items = toList(locals.get(referencedDeclaration))
    const index = toTerm(evaluate(this, left.indexExpression, locals))
    locals.set(referencedDeclaration, items.with(toIndex(this, left, { items, index }), value))
  }
}

export declare namespace Interpreter {
  type Options = {
    readonly path: Path
    readonly state: State
    readonly visited?: Set<number>
    readonly replacements?: Replacements
  }
}
