import { bound, cancel, order, superadditive } from '../lemmas.ts'
import * as Term from '../Term.ts'
import { toTerm } from '../Value.ts'
import { complement, drawFee, drawSides, isCeil, isFloor, one, wad, zero, type NamedLaws } from './Law.ts'
import {
  drawSwap,
  drawPair,
  drawOrdered,
  toGross,
  toFee,
  toOutput,
  toGrossFor,
  toInput,
  turn,
  keepsFee,
  coversFee,
} from './Swap.ts'

/** The laws of one swap, over PoolMath. */
export const swapLaws: NamedLaws = {
  'gross output': {
    sentence: 'The output before the fee is the exact value of the input, rounded down.',
    functions: ['PoolMath.grossOut'],
    state: (world) => {
      const sides = drawSides(world)
      const amount = world.number('amount', 'amount')
      const gross = toGross(world, sides, amount)
      return { goal: isFloor(gross, Term.multiply(amount, sides.paid), sides.received) }
    },
  },
  fee: {
    sentence: 'The fee is the exact fee rounded up, and at most the output.',
    functions: ['PoolMath.feeOn'],
    state: (world) => {
      const [gross, epsilon] = [world.number('gross', 'amount'), drawFee(world)]
      const fee = toTerm(world.call('feeOn', gross, epsilon))
      const isExact = isCeil(fee, Term.multiply(gross, epsilon), wad)
      return {
        goal: Term.and(isExact, Term.atMost(fee, gross)),
        lemmas: () => [bound(fee, gross), order(epsilon, wad, gross)],
      }
    },
  },
  'value of an output': {
    sentence:
      'The value paid out never exceeds the value paid in less the exact fee, and two raw units more would exceed it.',
    functions: ['PoolMath.quoteExactIn'],
    state: (world) => {
      const [sides, epsilon, amount] = [drawSides(world), drawFee(world), world.number('amount', 'amount')]
      const [gross, output] = [toGross(world, sides, amount), toOutput(world, { sides, epsilon }, amount)]
      const rest = complement(epsilon)
      const [paid, value] = [Term.multiply(amount, sides.paid), Term.multiply(amount, sides.paid, rest)]
      const worth = (raw: Term.Term) => Term.multiply(raw, sides.received, wad)
      const lemmas = () => [
        order(Term.multiply(output, wad), Term.multiply(gross, rest), sides.received),
        order(Term.multiply(gross, sides.received), paid, rest),
        order(Term.multiply(gross, rest), Term.multiply(Term.add(output, one), wad), sides.received),
        order(paid, Term.subtract(Term.multiply(Term.add(gross, one), sides.received), one), rest),
        order(zero, epsilon, sides.received),
      ]
      const isLess = Term.below(value, worth(Term.add(output, Term.integer(2))))
      return { goal: Term.and(Term.atMost(worth(output), value), isLess), lemmas }
    },
  },
  'gross of an output': {
    sentence: 'The gross output for an exact output covers it with its fee, and is minimal.',
    functions: ['PoolMath.grossFor'],
    state: (world) => {
      const [amount, epsilon] = [world.number('amount', 'amount'), drawFee(world)]
      const gross = toTerm(world.call('grossFor', amount, epsilon))
      return { goal: isCeil(gross, Term.multiply(amount, wad), complement(epsilon)) }
    },
  },
  'input of an output': {
    sentence: 'The input for a gross output covers its exact value, and is minimal.',
    functions: ['PoolMath.originFor'],
    state: (world) => {
      const [sides, gross] = [drawSides(world), world.number('gross', 'amount')]
      const input = toTerm(world.call('originFor', gross, sides.origin, sides.target))
      return { goal: isCeil(input, Term.multiply(gross, sides.received), sides.paid) }
    },
  },
  'exact output is paid': {
    sentence: 'The exact input of an exact output pays at least that output.',
    functions: ['PoolMath.quoteExactOut', 'PoolMath.quoteExactIn'],
    state: (world) => {
      const swap = drawSwap(world)
      const amount = world.number('amount', 'amount')
      const input = toInput(world, swap, amount)
      const output = toOutput(world, swap, input)
      const lemmas = () => {
        const [needed, gross] = [toGrossFor(world, swap, amount), toGross(world, swap.sides, input)]
        return [
          bound(gross, needed),
          order(needed, gross, complement(swap.epsilon)),
          bound(toFee(world, swap, gross), Term.subtract(gross, amount)),
        ]
      }
      return { goal: Term.atMost(amount, output), lemmas }
    },
  },
  'exact output is minimal': {
    sentence: 'No smaller input pays an exact output.',
    functions: ['PoolMath.quoteExactOut', 'PoolMath.quoteExactIn'],
    state: (world) => {
      const swap = drawSwap(world)
      const [amount, input] = [world.number('amount', 'amount'), world.number('input', 'amount')]
      world.assume(Term.atMost(amount, toOutput(world, swap, input)))
      const smallest = toInput(world, swap, amount)
      const lemmas = () => {
        const [needed, gross] = [toGrossFor(world, swap, amount), toGross(world, swap.sides, input)]
        return [bound(needed, gross), bound(smallest, input), order(needed, gross, swap.sides.received)]
      }
      return { goal: Term.atMost(smallest, input), lemmas }
    },
  },
  'outputs grow': {
    sentence: 'A larger input never pays less.',
    functions: ['PoolMath.quoteExactIn'],
    state: (world) => {
      const swap = drawSwap(world)
      const [small, large] = drawOrdered(world)
      const [less, more] = [toOutput(world, swap, small), toOutput(world, swap, large)]
      const lemmas = () => {
        const [lower, higher] = [toGross(world, swap.sides, small), toGross(world, swap.sides, large)]
        return [
          order(small, large, swap.sides.paid),
          bound(higher, lower),
          order(lower, higher, complement(swap.epsilon)),
          bound(toFee(world, swap, higher), Term.subtract(higher, less)),
        ]
      }
      return { goal: Term.atMost(less, more), lemmas }
    },
  },
  'inputs grow': {
    sentence: 'A larger exact output never costs less.',
    functions: ['PoolMath.quoteExactOut'],
    state: (world) => {
      const swap = drawSwap(world)
      const [small, large] = drawOrdered(world)
      const [less, more] = [toInput(world, swap, small), toInput(world, swap, large)]
      const lemmas = () => {
        const [lower, higher] = [toGrossFor(world, swap, small), toGrossFor(world, swap, large)]
        return [bound(lower, higher), bound(less, more), order(lower, higher, swap.sides.received)]
      }
      return { goal: Term.atMost(less, more), lemmas }
    },
  },
  'split input': {
    sentence: 'Two inputs never pay more than one input of their sum.',
    functions: ['PoolMath.quoteExactIn'],
    state: (world) => {
      const swap = drawSwap(world)
      const [first, second] = drawPair(world)
      const outputs = Term.add(toOutput(world, swap, first), toOutput(world, swap, second))
      const sum = Term.add(first, second)
      const whole = toOutput(world, swap, sum)
      const lemmas = () => {
        const grosses = Term.add(toGross(world, swap.sides, first), toGross(world, swap.sides, second))
        const gross = toGross(world, swap.sides, sum)
        const { paid, received } = swap.sides
        return [
          superadditive(Term.multiply(first, paid), Term.multiply(second, paid), received),
          bound(gross, grosses),
          order(grosses, gross, complement(swap.epsilon)),
          bound(toFee(world, swap, gross), Term.subtract(gross, outputs)),
        ]
      }
      return { goal: Term.atMost(outputs, whole), lemmas }
    },
  },
  'split output': {
    sentence: 'Two exact outputs never cost less than one exact output of their sum.',
    functions: ['PoolMath.quoteExactOut'],
    state: (world) => {
      const swap = drawSwap(world)
      const [first, second] = drawPair(world)
      const inputs = Term.add(toInput(world, swap, first), toInput(world, swap, second))
      const sum = Term.add(first, second)
      const whole = toInput(world, swap, sum)
      const lemmas = () => {
        const grosses = Term.add(toGrossFor(world, swap, first), toGrossFor(world, swap, second))
        const gross = toGrossFor(world, swap, sum)
        return [bound(gross, grosses), order(gross, grosses, swap.sides.received), bound(whole, inputs)]
      }
      return { goal: Term.atMost(whole, inputs), lemmas }
    },
  },
  'round trip': {
    sentence: 'Converting an output back pays at most the input.',
    functions: ['PoolMath.quoteExactIn'],
    state: (world) => {
      const swap = drawSwap(world)
      const amount = world.number('amount', 'amount')
      const output = toOutput(world, swap, amount)
      const back = toOutput(world, turn(swap), output)
      const lemmas = () => {
        const gross = toGross(world, turn(swap).sides, output)
        const { paid, received } = swap.sides
        return [
          ...keepsFee(world, swap, toGross(world, swap.sides, amount)),
          ...keepsFee(world, turn(swap), gross),
          order(output, toGross(world, swap.sides, amount), received),
          cancel(gross, amount, paid),
        ]
      }
      return { goal: Term.atMost(back, amount), lemmas }
    },
  },
  'round trip of an exact output': {
    sentence: 'Converting an exact output back pays at most what it cost.',
    functions: ['PoolMath.quoteExactOut', 'PoolMath.quoteExactIn'],
    state: (world) => {
      const swap = drawSwap(world)
      const amount = world.number('amount', 'amount')
      const input = toInput(world, swap, amount)
      const back = toOutput(world, turn(swap), amount)
      const lemmas = () => {
        const [needed, gross] = [toGrossFor(world, swap, amount), toGross(world, turn(swap).sides, amount)]
        const { paid, received } = swap.sides
        return [
          ...coversFee(swap, amount, needed),
          ...keepsFee(world, turn(swap), gross),
          order(amount, needed, received),
          cancel(gross, input, paid),
        ]
      }
      return { goal: Term.atMost(back, input), lemmas }
    },
  },
  'round trip to an exact output': {
    sentence: 'Buying an input back exactly costs at least the output that it paid.',
    functions: ['PoolMath.quoteExactIn', 'PoolMath.quoteExactOut'],
    state: (world) => {
      const swap = drawSwap(world)
      const amount = world.number('amount', 'amount')
      const output = toOutput(world, swap, amount)
      const cost = toInput(world, turn(swap), amount)
      const lemmas = () => {
        const [gross, needed] = [toGross(world, swap.sides, amount), toGrossFor(world, turn(swap), amount)]
        const { paid, received } = swap.sides
        return [
          ...keepsFee(world, swap, gross),
          ...coversFee(swap, amount, needed),
          order(output, gross, received),
          order(amount, needed, paid),
          cancel(output, cost, received),
        ]
      }
      return { goal: Term.atMost(output, cost), lemmas }
    },
  },
}
