import type { Command } from '@commander-js/extra-typings'
import {
  adoptContracts,
  deployContracts,
  deploySettings,
  devSettings,
  formatHelp,
  keepPrices,
  migrateOnNode,
  networkNames,
  runDev,
  serveOnNode,
  serviceSettings,
} from '@agio/localnet/commands'
import process from 'node:process'
import { collect, parseWhole } from './options.ts'
import { print } from '../output/print.ts'

/** Adds the commands that run the local stack and the service, and that deploy the contracts. */
export function addStackCommands(program: Command): void {
  program
    .command('dev')
    .summary('run the local stack')
    .description('Runs two local chains with the contracts, the service on them and the console, until Ctrl-C.')
    .option('--name <name>', 'name of the stack. A stack with a name has free ports and temporary data')
    .option('--port <port>', 'port of the service, as PORT')
    .option('--rpc-port <port>', 'port of the first node, as RPC_PORT')
    .option('--fork <chain=url>', 'fork this chain from a node. Can be repeated', collect)
    .option('--scenario <file>', 'run the steps of a scenario file once the stack is ready')
    .option('--no-service', 'run the chains without the service')
    .option('--json', 'print events as JSON, one a line. The first is `ready`, with URLs, keys and contracts')
    .addHelpText('after', `\nEnvironment variables:\n${formatHelp(devSettings)}`)
    .action((options) => runDev(options))
  program
    .command('serve')
    .summary('serve the API')
    .description('Serves the API with settings from the environment.')
    .addHelpText('after', `\nEnvironment variables:\n${formatHelp(serviceSettings)}`)
    .action(() => serveOnNode())
  program
    .command('migrate')
    .summary('migrate the database of the service')
    .description('Migrates the schema of the PostgreSQL at DATABASE_URL, for replicas with MIGRATE=check.')
    .action(() => migrateOnNode())
  addContractCommands(program)
}

function addContractCommands(program: Command): void {
  const environmentHelp = `\nEnvironment variables:\n${formatHelp(deploySettings)}`
  const contracts = program
    .command('contracts')
    .summary('deploy the contracts to a test network, or adopt contracts that exist')
    .description('Manages the contracts on test networks.')
  contracts
    .command('deploy')
    .description('Deploys tokens, oracles, pools, router, faucet and reader, and writes the deployment file.')
    .requiredOption('--network <name>', networkNames)
    .option('--token <address,feed=address>', 'make a pool of a token that exists. Can be repeated', collect)
    .option('--reference-token <address>', 'dollar token that exists, for the pools of --token')
    .option('--deposit <address=amount>', 'first deposit of a --token, from the balance of the deployer', collect)
    .option('--price-source <owner>', 'owner: --token <address,price=dollars> gets an oracle of the deployer')
    .option('--dollars-per-side <n>', 'initial value of each side of each pool. Default: 1000000')
    .option('--owner <address>', 'hands every contract over to this account. Default: the deployer')
    .option('--guardian <address>', 'may also freeze the pools, and not unfreeze them. Default: none')
    .option('--sequencer-feed <address>', 'uptime feed of the sequencer. Default: none')
    .option('--reference-feed <address>', 'price feed of the dollar token. Default: none')
    .addHelpText('after', environmentHelp)
    .action(async (options) => print(await deployContracts(options, process.env)))
  contracts
    .command('adopt')
    .description('Writes the deployment file of a router and pools that others have deployed.')
    .requiredOption('--network <name>', networkNames)
    .requiredOption('--factory <address>', 'registry of the pools')
    .requiredOption('--router <address>', 'router that converts through them')
    .option('--from-block <n>', 'search the events of the factory from this block on')
    .option('--pool <address>', 'adopt this pool. Can be repeated', collect)
    .option('--reference-token <address>', 'dollar token. Default: the quote token of the most pools')
    .addHelpText('after', environmentHelp)
    .action(async (options) => print(await adoptContracts(options, process.env)))
  contracts
    .command('price')
    .description('Writes prices of oracles that the deployer owns, once or until Ctrl-C.')
    .requiredOption('--network <name>', networkNames)
    .requiredOption('--oracle <address=dollars>', 'without a price: the current one again. Can be repeated', collect)
    .option('--every <minutes>', 'write again after so many minutes, at most 55', parseWhole)
    .addHelpText('after', environmentHelp)
    .action((options) => keepPrices(options, process.env))
}
