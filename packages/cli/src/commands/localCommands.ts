import type { Command } from '@commander-js/extra-typings'
import {
  formatHelp,
  listScenarios,
  localnetSettings,
  runScenarioFile,
  signResponse,
  toNodes,
  type ListedScenario,
} from '@agio/localnet/commands'
import { formatTable, Network } from '@agio/localnet/stacks'
import { testAccounts } from '@agio/sdk/testing'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { CommandError } from '../errors/CommandError.ts'
import { callLocal, localSettings } from '../service/callLocal.ts'
import { getStack, parseChain } from '../service/connect.ts'
import { parseAddress } from '../service/tokens.ts'
import { isAmount } from '../sentence/Sentence.ts'
import { addChainCommand, addServiceCommand, jsonOption, parseWhole, stackOption } from './options.ts'
import { print, printError } from '../output/print.ts'

const environmentHelp = `\nEnvironment variables, instead of the running local stack:\n${formatHelp(localSettings)}`

/** Adds the commands for the running local stack. */
export function addLocalCommands(program: Command): void {
  addScenario(program)
  addTime(program)
  addSnapshot(program)
  addFund(program)
  program
    .command('sign')
    .summary('sign a response of the service with a local account')
    .description(
      'Signs the unsigned transaction or the typed data of a response on standard input. Signs the first step of a plan.',
    )
    .option('--account <n>', `account, from 0 to ${testAccounts.length - 1}`, parseWhole, 1)
    .addOption(stackOption)
    .addHelpText(
      'after',
      `\nEnvironment variables, instead of the running local stack:\n${formatHelp(localnetSettings)}`,
    )
    .action(async ({ account, stack }) => {
      const running = Number(process.env['RPC_PORT'] || 0) === 0 ? await getStack({ stack }) : undefined
      const rpcUrls = running?.rpcUrls ?? toNodes(process.env)
      const signed = await signResponse(await text(process.stdin), { account, rpcUrls })
      printError(`Signed by account ${account} for ${running ? `stack ${running.name}` : `the nodes of RPC_PORT`}`)
      print(signed)
    })
}

function addScenario(program: Command): void {
  const scenario = program
    .command('scenario')
    .summary('inject a fault into the local stack')
    .description('Injects a fault into the running local stack. `reset` removes all faults.')
  for (const listed of listScenarios()) addListed(scenario, listed)
  scenario
    .command('play')
    .summary('run the steps of a scenario file')
    .description('Runs the steps of a scenario file at their times. Ctrl-C ends it, and faults of earlier steps stay.')
    .argument('<file>', 'JSON or TypeScript file')
    .addOption(stackOption)
    .addHelpText('after', environmentHelp)
    .action(async (file, options) => {
      await runScenarioFile(file, {
        listChains: async () => (await callLocal<{ readonly chains: never }>('scenarios', options)).chains,
        run: async (name, body) => await callLocal(`scenarios/${name}`, { ...options, method: 'POST', body }),
        onStep: ({ name }) => print(name),
      })
      print('The last step has run')
    })
}

function addTime(program: Command): void {
  addServiceCommand(program, 'time')
    .summary('read or move the time of the local stack: agio time +2 hours')
    .description('Prints the time of the running local stack, or moves its chains and its service to a later time.')
    .usage('[options] [+<n> <unit> | <ISO time> | market-open | market-close]')
    .argument('[to...]', 'later time. Default: prints the time')
    .addHelpText('after', environmentHelp)
    .action(async (to, { stack, json }) => {
      const body = to.length === 0 ? undefined : { to: to.join(' ') }
      const result = await callLocal<{ readonly time: string }>('time', { stack, body, method: body ? 'POST' : 'GET' })
      print(json ? JSON.stringify(result) : result.time)
    })
}

function addSnapshot(program: Command): void {
  const snapshot = program
    .command('snapshot')
    .summary('take and restore snapshots of the local stack')
    .description('Takes snapshots of the chains and the service of the running local stack, and returns to them.')
  addServiceCommand(snapshot, 'take')
    .description('Takes a snapshot, and prints its id.')
    .action(async ({ stack, json }) => {
      const result = await callLocal<{ readonly id: string }>('snapshots', { stack, method: 'POST' })
      print(json ? JSON.stringify(result) : result.id)
    })
  snapshot
    .command('restore')
    .description('Returns to a snapshot. It can be restored again.')
    .argument('<id>', 'id of the snapshot')
    .addOption(stackOption)
    .action(async (id, { stack }) => {
      await callLocal(`snapshots/${encodeURIComponent(id)}/restore`, { stack, method: 'POST' })
      print(`Restored ${id}`)
    })
  snapshot
    .command('delete')
    .description('Deletes a snapshot.')
    .argument('<id>', 'id of the snapshot')
    .addOption(stackOption)
    .action(async (id, { stack }) => {
      await callLocal(`snapshots/${encodeURIComponent(id)}`, { stack, method: 'DELETE' })
      print(`Deleted ${id}`)
    })
}

function addListed(parent: Command, { name, description, effect, options: specs }: ListedScenario): void {
  const command = parent
    .command(name)
    .summary(`callers get ${effect}`)
    .description(`${description}. Callers get ${effect}.`)
  for (const [option, spec] of Object.entries(specs)) {
    const flags = `--${option} <${spec.type === 'number' ? 'n' : spec.type}>`
    const about = spec.type === 'choice' ? `${spec.description}: ${spec.of.join(', ')}` : spec.description
    if (spec.isOptional) command.option(flags, about)
    else command.requiredOption(flags, about)
  }
  command
    .option('--chain <chain>', `chain by name or id. Default: ${Network.defaultChainId}; for reset all chains`)
    .addOption(stackOption)
    .addOption(jsonOption)
    .addHelpText('after', environmentHelp)
    .action(async ({ chain, stack, json, ...options }) => {
      const chainId = chain === undefined ? undefined : parseChain(chain)
      const fields = Object.entries(options).map(([option, value]) => [option, toField(String(value))])
      const body = { ...Object.fromEntries(fields), chainId }
      const result = await callLocal<ScenarioResult>(`scenarios/${name}`, { method: 'POST', body, stack })
      print(json ? JSON.stringify(result) : formatResult(result, effect))
    })
}

type ScenarioResult = { readonly scenario: string } & (ServedBlock | { readonly chains: readonly ServedBlock[] })

type ServedBlock = { readonly chainId: number; readonly blockNumber: number }

function formatResult(result: ScenarioResult, effect: string): string {
  const chains = 'chains' in result ? result.chains : [result]
  const blocks = chains.map(({ chainId, blockNumber }) => `chain ${chainId} as of block ${blockNumber}`).join(', ')
  return `${result.scenario}: ${blocks}; callers get ${effect}`
}

function toField(value: string): string | number {
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(value) ? Number(value) : value
}

function addFund(program: Command): void {
  addChainCommand(program, 'fund')
    .summary('add tokens to an account of the local stack: agio fund 1000 tAUD --account 2')
    .description('Adds tokens, and native currency for gas, to an account on the running local stack.')
    .argument('<amount>', 'amount to add')
    .argument('<token>', 'symbol of the token, or ETH')
    .option('--account <n>', 'account of the local stack', parseWhole)
    .option('--to <address>', 'any other account')
    .addHelpText('after', environmentHelp)
    .action(async (amount, token, { account, to, chain, stack, json }) => {
      if (!isAmount(amount)) throw new CommandError('input', `Invalid amount: '${amount}' is not a number`)
      const address = toAccount(account, to)
      const body = { chainId: parseChain(chain), address, amounts: { [token]: amount } }
      const result = await callLocal<object>('fund', { method: 'POST', body, stack })
      print(
        json
          ? JSON.stringify(result)
          : formatTable([
              ['Account', address],
              ['Added', `${amount} ${token}`],
            ]),
      )
    })
}

function toAccount(index: number | undefined, to: string | undefined): `0x${string}` {
  if ((index === undefined) === (to === undefined)) throw new CommandError('input', 'Pass either --account or --to')
  if (to !== undefined) return parseAddress(to, '--to')
  const account = testAccounts[index ?? 0]
  if (account) return account.address
  throw new CommandError('input', `Invalid --account: it is a number from 0 to ${testAccounts.length - 1}`)
}
