import { afterAll, describe, expect, it } from 'vitest'
import { getFunction, parseContracts, type Expression, type Node } from './Ast.ts'
import type { Law } from './laws/Law.ts'
import { laws } from './laws/laws.ts'
import { lemmas, order } from './lemmas.ts'
import { collectObligations } from './obligations.ts'
import { checkLaw, checkLemma, createVariables, formulate } from './prove.ts'
import { Solver, toAnswer } from './Solver.ts'
import * as Term from './Term.ts'
import { toTerm } from './Value.ts'
import { runByAst, type World } from './World.ts'

const ast = parseContracts('contracts/Pool.sol')
const solver = await Solver.start()

afterAll(() => solver[Symbol.asyncDispose]())

const drawGross = (world: World) => world.number('gross', 'amount')

/** A law about the fee, which claims that the fee is at least the exact fee. */
const feeLaw: Law = {
  name: 'fee',
  sentence: 'The fee is at least the exact fee.',
  functions: ['PoolMath.feeOn'],
  state: (world) => ({ goal: Term.not(Term.below(...drawFees(world))) }),
}

/** Returns the fee and the exact fee of a random output, both times 10^18. */
function drawFees(world: World): [Term.Term, Term.Term] {
  const [gross, epsilon] = [drawGross(world), world.number('epsilon', 'fee')]
  const fee = toTerm(world.call('feeOn', gross, epsilon))
  return [Term.multiply(fee, Term.integer(10n ** 18n)), Term.multiply(gross, epsilon)]
}

describe('a law that is not proved', () => {
  it.each<readonly [string, Law['state'], RegExp]>([
    [
      'a false law is refuted, with a counterexample',
      (world) => ({ goal: Term.atMost(...drawFees(world)) }),
      /false for agio_gross = \d+, agio_epsilon = \d+/,
    ],
    [
      'a law whose hypotheses contradict each other is not proved',
      (world) => {
        const gross = drawGross(world)
        world.assume(Term.below(gross, Term.integer(3)), Term.below(Term.integer(5), gross))
        return { goal: Term.equal(gross, Term.integer(4)) }
      },
      /^no values satisfy the hypotheses$/,
    ],
    [
      'a law with a lemma that contradicts its hypotheses is not proved',
      (world) => {
        const gross = drawGross(world)
        return { goal: Term.equal(gross, Term.integer(4)), lemmas: () => [Term.below(gross, Term.integer(0))] }
      },
      /the hypotheses are not satisfiable/,
    ],
  ])('%s', (_, state, failure) => {
    expect(checkLaw(solver, { ...feeLaw, state }, runByAst(ast))).toMatch(failure)
  })
})

describe('the solver', () => {
  it('only exactly unsat is a proof', () => {
    expect(toAnswer('unsat\n')).toBe('unsat')
    expect(toAnswer('sat\n')).toBe('sat')
    for (const printed of ['unknown', '', 'unsat\nunsat', '(error "line 1 column 2: unknown constant")\nunsat']) {
      expect(toAnswer(printed)).toEqual({ none: printed })
    }
  })

  it('an unsat that z3 prints after an error is not a proof', () => {
    const printed = solver.evaluate('(declare-const or Int)(assert false)(check-sat)')
    expect(printed).toMatch(/^\(error .*\)\nunsat\n$/)
    expect(toAnswer(printed)).toEqual({ none: printed.trim() })
  })

  it('a false lemma is not proved', () => {
    const lemma = { ...lemmas[0]!, parameters: ['a', 'b', 'c'], state: withoutSign }
    expect(checkLemma(solver, lemma)).toBe('the solver answers sat')
  })
})

/** The lemma `order` without the premise that the factor is not negative. */
function withoutSign(...[a, b, c]: readonly Term.Term[]): Term.Term {
  return order(a!, b!, c!).args!.find(({ operator }) => operator === '<=')!
}

describe('the interpreter', () => {
  it('an unknown node is an error', () => {
    const { id, body } = getFunction(ast, 'PoolMath', 'feeOn')
    const statement = body?.nodeType === 'Block' ? body.statements[0]! : undefined
    const unknown = { ...statement, nodeType: 'UncheckedBlock' } as unknown as Node
    const run = runByAst(ast, { replacements: new Map([[statement?.id ?? id, unknown]]) })
    expect(() => formulate(feeLaw, run, 'base to quote')).toThrow(
      /^Cannot translate UncheckedBlock at PoolMath\.sol:\d+:\d+$/,
    )
  })

  it.each(['Trunc', 'Expand', 'Down'])('the rounding %s is an error', (memberName) => {
    const ceil = findNode((node) => node.nodeType === 'MemberAccess' && node.memberName === 'Ceil')
    const call = findNode((node) => node.nodeType === 'FunctionCall' && node.arguments.some(({ id }) => id === ceil.id))
    if (call.nodeType !== 'FunctionCall') throw new Error('Cannot find a call with a rounding')
    const rounding = { ...ceil, memberName } as Expression
    const replacement = { ...call, arguments: call.arguments.with(2, rounding) }
    const run = runByAst(ast, { replacements: new Map([[call.id, replacement]]) })
    expect(() => formulate(feeLaw, run, 'base to quote')).toThrow('Cannot translate this rounding')
  })

  it('a call of a view that is not listed is an error', () => {
    const callee = findNode((node) => node.nodeType === 'MemberAccess' && node.memberName === 'getRate')
    const call = findNode((node) => node.nodeType === 'FunctionCall' && node.expression.id === callee.id)
    const other = [...ast.nodes.values()].find(
      ({ node, contract }) =>
        contract === 'IERC20' && node.nodeType === 'FunctionDefinition' && node.name === 'allowance',
    )
    const replacement = { ...call, expression: { ...callee, referencedDeclaration: other?.node.id } } as Node
    const run = runByAst(ast, { replacements: new Map([[call.id, replacement]]) })
    const law = laws.find(({ name }) => name === 'first deposit')!
    expect(() => formulate(law, run, 'base to quote')).toThrow('Cannot translate a call of IERC20.allowance')
  })

  it('a modifier that is not listed is an error', () => {
    const definition = getFunction(ast, 'PoolQuotes', 'viewWithdraw')
    const { modifiers } = definition as unknown as { modifiers: { modifierName: { name: string } }[] }
    const { name } = modifiers[0]!.modifierName
    modifiers[0]!.modifierName.name = 'onlyOwner'
    try {
      const law = laws.find(({ name: other }) => other === 'withdrawal')!
      expect(() => formulate(law, runByAst(ast), 'base to quote')).toThrow('Cannot translate the modifier onlyOwner')
    } finally {
      modifiers[0]!.modifierName.name = name
    }
  })

  function findNode(isWanted: (node: Node) => boolean): Node {
    for (const { node, file } of ast.nodes.values())
      if (file.startsWith('contracts/Pool') && isWanted(node)) return node
    throw new Error('Cannot find the node')
  }
})

describe('the obligations', () => {
  it('an operation that can overflow within the bounds is not proved', () => {
    const entry = {
      name: 'withdrawShare',
      call: (world: World) => {
        const [lp, reserve] = [world.number('lp', 'amount'), world.number('reserve', 'amount')]
        world.call('withdrawShare', lp, Term.multiply(reserve, reserve), Term.integer(1))
      },
    }
    const { goal, lemmas: instances } = collectObligations(entry, runByAst(ast), createVariables())
    expect(solver.ask({ assertions: [...instances, Term.not(goal)] })).not.toBe('unsat')
  })
})
