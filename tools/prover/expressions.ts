import type { BinaryOperation, Expression, FunctionCall, MemberAccess } from './Ast.ts'
import type { Interpreter as Evaluator } from './Interpreter.ts'
import * as Term from './Term.ts'
import { chooseValue, getMember, toList, toTerm, type Value } from './Value.ts'

type Locals = ReadonlyMap<number, Value>

/** The views of other contracts, and of the LP token, that become variables. Any other call is an error. */
const reads = new Set([
  'IRateReader.getRate',
  'IRateReader.token',
  'IRateReader.tokenDecimals',
  'IERC20.balanceOf',
  'ERC20.totalSupply',
])

/** The contracts whose functions are translated. */
export const translated = new Set(['PoolMath', 'PoolQuotes'])

const mathFile = '@openzeppelin/contracts/utils/math/Math.sol'

const wordSize = Term.integer(2n ** 256n)
const maxExponent = Term.integer(18)
const self = Term.variable('this')

/** Evaluates an expression. */
export function evaluate(evaluator: Evaluator, original: Expression, locals: Locals): Value {
  const expression = evaluator.visit(original)
  const term = (part: Expression) => toTerm(evaluate(evaluator, part, locals))
  switch (expression.nodeType) {
    case 'Literal':
      return parseLiteral(evaluator, expression)
    case 'Identifier':
      return evaluateIdentifier(evaluator, expression, locals)
    case 'MemberAccess':
      return getMember(evaluate(evaluator, expression.expression, locals), expression.memberName)
    case 'TupleExpression': {
      if (expression.isInlineArray) throw evaluator.unsupported(expression)
      const values = expression.components.map((part) => evaluate(evaluator, part, locals))
      return values.length === 1 ? values[0]! : values
    }
    case 'IndexAccess': {
      const items = toList(evaluate(evaluator, expression.baseExpression, locals))
      return items[toIndex(evaluator, expression, { items, index: term(expression.indexExpression) })]!
    }
    case 'Conditional':
      return evaluateConditional(evaluator, expression, locals)
    case 'BinaryOperation':
      return evaluateBinary(evaluator, expression, locals)
    case 'FunctionCall':
      return evaluateCall(evaluator, expression, locals)
    default:
      throw evaluator.unsupported(expression)
  }
}

/** Returns the index of an item of an array. An index that is not below the length panics. */
export function toIndex(
  evaluator: Evaluator,
  node: Expression,
  { items, index }: { readonly items: readonly Value[]; readonly index: Term.Term },
): number {
  if (index.value === undefined) throw evaluator.unsupported(node, 'an index that is not a literal')
  evaluator.path.oblige(Term.below(index, Term.integer(items.length)), node)
  return Number(index.value)
}

function parseLiteral(evaluator: Evaluator, literal: Expression & { nodeType: 'Literal' }): Term.Term {
  const parts = /^(\d+)(?:e(\d+))?$/.exec(literal.value.replaceAll('_', ''))
  if (literal.kind !== 'number' || !parts || literal.subdenomination) throw evaluator.unsupported(literal)
  return Term.integer(BigInt(parts[1]!) * 10n ** BigInt(parts[2] ?? 0))
}

function evaluateIdentifier(evaluator: Evaluator, identifier: Expression & { nodeType: 'Identifier' }, locals: Locals) {
  const { referencedDeclaration: id } = identifier
  const declaration = evaluator.ast.nodes.get(id)?.node
  const value = locals.get(id) ?? evaluator.state.immutables.get(id) ?? evaluator.state.variables.get(identifier.name)
  if (value !== undefined) return value
  if (declaration?.nodeType !== 'VariableDeclaration' || !declaration.constant || !declaration.value) {
    throw evaluator.unsupported(identifier, `the name ${identifier.name}`)
  }
  return evaluate(evaluator, declaration.value, new Map())
}

function evaluateConditional(
  evaluator: Evaluator,
  conditional: Expression & { nodeType: 'Conditional' },
  locals: Locals,
) {
  const condition = toTerm(evaluate(evaluator, conditional.condition, locals))
  const decided = evaluator.path.decide(condition)
  const then = () => evaluate(evaluator, conditional.trueExpression, locals)
  const otherwise = () => evaluate(evaluator, conditional.falseExpression, locals)
  if (decided !== undefined) return decided ? then() : otherwise()
  return chooseValue(
    condition,
    evaluator.path.under(condition, then),
    evaluator.path.under(Term.not(condition), otherwise),
  )
}

function evaluateBinary(evaluator: Evaluator, operation: BinaryOperation, locals: Locals): Term.Term {
  const { operator, leftExpression, rightExpression } = operation
  const left = toTerm(evaluate(evaluator, leftExpression, locals))
  if (operator === '&&' || operator === '||') {
    const decided = evaluator.path.decide(left)
    if (decided !== undefined && decided === (operator === '||')) return Term.choose(left, Term.yes, Term.no)
    const reached = operator === '&&' ? left : Term.not(left)
    const right = evaluator.path.under(reached, () => toTerm(evaluate(evaluator, rightExpression, locals)))
    return operator === '&&' ? Term.and(left, right) : Term.or(left, right)
  }
  const right = toTerm(evaluate(evaluator, rightExpression, locals))
  if (!/^t_(uint256|bool)$/.test(operation.typeDescriptions.typeIdentifier)) throw evaluator.unsupported(operation)
  for (const { typeDescriptions } of [leftExpression, rightExpression]) {
    if (!/^t_(uint256|address|rational_\d+_by_1)$/.test(typeDescriptions.typeIdentifier))
      throw evaluator.unsupported(operation)
  }
  return comparisons[operator]?.(left, right) ?? calculate(evaluator, operation, [left, right])
}

const comparisons: Readonly<Record<string, (left: Term.Term, right: Term.Term) => Term.Term>> = {
  '==': Term.equal,
  '!=': (left, right) => Term.not(Term.equal(left, right)),
  '<': Term.below,
  '<=': Term.atMost,
  '>': (left, right) => Term.below(right, left),
  '>=': (left, right) => Term.atMost(right, left),
}

function calculate(
  evaluator: Evaluator,
  node: BinaryOperation,
  [left, right]: readonly [Term.Term, Term.Term],
): Term.Term {
  switch (node.operator) {
    case '+':
      return fit(evaluator, node, Term.add(left, right))
    case '*':
      return fit(evaluator, node, Term.multiply(left, right))
    case '-':
      evaluator.path.oblige(Term.atMost(right, left), node)
      return Term.subtract(left, right)
    case '/':
      return divide(evaluator, node, { left, right, round: Term.floor })
    case '**':
      if (left.value !== 10n) throw evaluator.unsupported(node, 'a power of a number other than 10')
      evaluator.path.oblige(Term.atMost(right, maxExponent), node)
      return Term.powerOfTen(right)
    default:
      throw evaluator.unsupported(node, node.operator)
  }
}

type Division = { readonly left: Term.Term; readonly right: Term.Term; readonly round: typeof Term.floor }

/** Returns a quotient, with the obligation that its denominator is positive. */
function divide(evaluator: Evaluator, node: Expression, { left, right, round }: Division): Term.Term {
  evaluator.path.oblige(Term.below(Term.integer(0), right), node)
  return round(left, right)
}

/** Returns a result with the obligation that it fits a word. */
function fit(evaluator: Evaluator, node: Expression, result: Term.Term): Term.Term {
  evaluator.path.fit(Term.below(result, wordSize), node)
  return result
}

function evaluateCall(evaluator: Evaluator, call: FunctionCall, locals: Locals): Value {
  const values = () => call.arguments.map((argument) => evaluate(evaluator, argument, locals))
  const { expression: callee } = call
  if (call.kind === 'typeConversion') return convert(evaluator, call, locals)
  if (call.kind === 'structConstructorCall') {
    if (call.names.length !== call.arguments.length) throw evaluator.unsupported(call, 'a struct without names')
    return { members: Object.fromEntries(values().map((value, index) => [call.names[index]!, value])) }
  }
  if (call.kind !== 'functionCall' || call.names.length > 0) throw evaluator.unsupported(call)
  if (callee.nodeType === 'NewExpression') return createArray(evaluator, call, values())
  if (callee.nodeType !== 'Identifier' && callee.nodeType !== 'MemberAccess') throw evaluator.unsupported(callee)
  const declared = evaluator.ast.nodes.get(callee.referencedDeclaration ?? 0)
  if (declared?.node.nodeType !== 'FunctionDefinition') throw evaluator.unsupported(call, 'a call of this name')
  if (declared.file === mathFile) return evaluateMulDiv(evaluator, call, locals)
  const name = `${declared.contract}.${declared.node.name}`
  if (reads.has(name)) return readOther(evaluator, call, { name: declared.node.name, locals })
  if (!translated.has(declared.contract ?? '')) throw evaluator.unsupported(call, `a call of ${name}`)
  if (callee.nodeType === 'MemberAccess' && !isContract(evaluator, callee.expression)) throw evaluator.unsupported(call)
  return evaluator.call(declared.node, values())
}

/** Evaluates `x.mulDiv(y, denominator)`, also with a rounding. The product has 512 bits, and only the result must fit. */
function evaluateMulDiv(evaluator: Evaluator, call: FunctionCall, locals: Locals): Term.Term {
  const callee = call.expression as MemberAccess
  const term = (part: Expression | undefined) => toTerm(part && evaluate(evaluator, part, locals))
  const [factor, denominator, rounding, ...others] = call.arguments
  if (callee.nodeType !== 'MemberAccess' || callee.memberName !== 'mulDiv' || others.length > 0)
    throw evaluator.unsupported(call)
  if (isContract(evaluator, callee.expression)) throw evaluator.unsupported(call, 'Math.mulDiv with three amounts')
  const round = rounding === undefined ? Term.floor : findRounding(evaluator, rounding)
  const product = Term.multiply(term(callee.expression), term(factor))
  return fit(evaluator, call, divide(evaluator, call, { left: product, right: term(denominator), round }))
}

function findRounding(evaluator: Evaluator, rounding: Expression): typeof Term.floor {
  const of = rounding.nodeType === 'MemberAccess' ? rounding.expression : undefined
  const isRounding = of?.nodeType === 'MemberAccess' && of.memberName === 'Rounding'
  if (isRounding && rounding.nodeType === 'MemberAccess') {
    if (rounding.memberName === 'Ceil') return Term.ceil
    if (rounding.memberName === 'Floor') return Term.floor
  }
  throw evaluator.unsupported(rounding, 'this rounding')
}

/** Evaluates a conversion between an address and a contract, which keeps the value. */
function convert(evaluator: Evaluator, call: FunctionCall, locals: Locals): Value {
  const [argument, ...others] = call.arguments
  const isAddress = /^t_(address|contract\$.*)$/.test(call.typeDescriptions.typeIdentifier)
  if (!argument || others.length > 0 || !isAddress) throw evaluator.unsupported(call)
  if (argument.nodeType === 'Identifier' && argument.name === 'this') return self
  if (argument.typeDescriptions.typeIdentifier !== 't_address') throw evaluator.unsupported(call)
  return evaluate(evaluator, argument, locals)
}

function createArray(evaluator: Evaluator, call: FunctionCall, [length]: readonly Value[]): Value {
  const size = toTerm(length).value
  const isIntegers = call.typeDescriptions.typeIdentifier === 't_array$_t_uint256_$dyn_memory_ptr'
  if (typeof size !== 'bigint' || size > 8n || !isIntegers) throw evaluator.unsupported(call)
  return Array.from({ length: Number(size) }, () => Term.integer(0))
}

type OtherRead = { readonly name: string; readonly locals: Locals }

function readOther(evaluator: Evaluator, call: FunctionCall, { name, locals }: OtherRead): Term.Term {
  const values = call.arguments.map((argument) => toTerm(evaluate(evaluator, argument, locals)))
  // The pool reads only balances of its own.
  if (values.some(({ text }) => text !== self.text)) throw evaluator.unsupported(call, `an argument of ${name}`)
  if (call.expression.nodeType !== 'MemberAccess') return evaluator.state.read(name, [])
  return evaluator.state.read(name, [toTerm(evaluate(evaluator, call.expression.expression, locals))])
}

function isContract(evaluator: Evaluator, expression: Expression): boolean {
  if (expression.nodeType !== 'Identifier') return false
  return evaluator.ast.nodes.get(expression.referencedDeclaration)?.node.nodeType === 'ContractDefinition'
}
