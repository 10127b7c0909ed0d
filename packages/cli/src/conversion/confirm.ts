import { decodeCalldata, type CalldataField, type Step } from '@agio/sdk'
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { formatUnits, numberToHex } from 'viem'
import { CommandError } from '../errors/CommandError.ts'
import { printError, toLine } from '../output/print.ts'

/**
 * Asks on the terminal whether the account may sign what a step is about to sign.
 *
 * @throws `CommandError` if the answer is not yes
 */
export async function confirm(step: Step): Promise<void> {
  const lines = describeRequest(step)
  if (lines.length === 0) return
  for (const line of lines) printError(toLine(line))
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question('Sign and send? (--yes does not ask) [y/N] ')
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('wallet', 'Cancelled: it was not signed')
  } finally {
    terminal.close()
  }
}

/** Asserts that the command can ask on a terminal. @throws `CommandError` */
export function assertTerminal(): void {
  if (process.stdin.isTTY) return
  throw new CommandError('input', 'Cannot ask for confirmation, because standard input is no terminal. Pass --yes')
}

/**
 * Returns lines that describe the next signature of the account. The lines of a conversion come from its calldata. A step without
 * a signature has no lines.
 */
export function describeRequest(step: Step): readonly string[] {
  if (step.status !== 'waiting-for-wallet') return []
  if (step.kind === 'approve') {
    const verb = step.purpose === 'reset' ? 'Reset the allowance of' : 'Approve'
    return [`${verb} ${step.spender}: it may take ${step.amount} ${step.token.symbol}`]
  }
  if (step.kind === 'permit') {
    return [`Sign a permit: ${step.spender} may take ${step.amount} ${step.token.symbol} for this conversion`]
  }
  return step.kind === 'convert' ? describeConversion(step.state) : []
}

function describeConversion({ pending, quote, account, chainId }: Step['state']): readonly string[] {
  // After the arguments come 16 bytes with the id of the conversion.
  const data = pending?.data ?? '0x'
  const call = decodeCalldata(data) ?? decodeCalldata(data.slice(0, -32))
  if (!pending || !call) throw new CommandError('upstream', 'Cannot decode what the service has built')
  const values: Readonly<Partial<Record<CalldataField, bigint>>> = Object.fromEntries(call.fields)
  const { tokenIn, tokenOut } = quote
  const [pay, receive] = [values.maxAmountIn ?? values.amountIn ?? 0n, values.minAmountOut ?? values.amountOut ?? 0n]
  const { recipient = 0n, deadline = 0n } = values
  const format = (raw: bigint, token: typeof tokenIn) => `${formatUnits(raw, token.decimals)} ${token.symbol}`
  return [
    `Convert on chain ${chainId} by ${pending.to}`,
    `  pay at most       ${format(pay, tokenIn)}  ${toAddress(values.tokenIn)}`,
    `  receive at least  ${format(receive, tokenOut)}  ${toAddress(values.tokenOut)}`,
    `  to                ${recipient === 0n ? account : toAddress(recipient)}`,
    `  before            ${new Date(Number(deadline) * 1000).toISOString()}`,
  ]
}

function toAddress(value = 0n): string {
  return numberToHex(value, { size: 20 })
}
