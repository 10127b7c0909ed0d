import { findLocalStack, findNetwork, isStackName, Network, type LocalStack } from '@agio/localnet/stacks'
import { createAgio, type Agio, type ChainId, type PinnedContracts } from '@agio/sdk'
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { CommandError } from '../errors/CommandError.ts'

/** The options of the commands that call the service. */
export type ConnectOptions = {
  /** The name of a local stack. */
  readonly stack?: string | undefined
  /** A file with the contracts that conversions may call. */
  readonly pins?: string | undefined
}

/** The service that a command calls. */
export type Connection = {
  readonly url: string
  readonly apiKey: string | undefined
  readonly agio: Agio
  /** The local stack; undefined for the service at `AGIO_URL`. */
  readonly stack: LocalStack | undefined
}

/**
 * Connects to the service at `AGIO_URL` with the key `AGIO_API_KEY`, or to the running local stack with its key. The key of the
 * local stack is not used for another service.
 *
 * @throws `CommandError` if there is neither
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { AGIO_URL, AGIO_API_KEY } = process.env
  if (AGIO_URL && options.stack === undefined) {
    const contracts = options.pins === undefined ? undefined : await readPins(options.pins)
    return create({ url: AGIO_URL, apiKey: AGIO_API_KEY || undefined, contracts })
  }
  const stack = await getStack(options)
  if (!stack.service)
    throw new CommandError('upstream', `Cannot call the service: ${stack.name} runs without a service`)
  const { url, apiKey } = stack.service
  const contracts = options.pins === undefined ? stack.contracts : await readPins(options.pins)
  return { ...create({ url, apiKey: AGIO_API_KEY || apiKey, contracts }), stack }
}

function create(options: createAgio.Options): Connection {
  try {
    return { url: options.url, apiKey: options.apiKey, agio: createAgio(options), stack: undefined }
  } catch (cause) {
    // Its message never contains the URL or the key.
    throw new CommandError('input', (cause as Error).message, { cause })
  }
}

declare namespace createAgio {
  type Options = {
    readonly url: string
    readonly apiKey: string | undefined
    readonly contracts: PinnedContracts | undefined
  }
}

/**
 * Returns the running local stack: the one named by the option or by `AGIO_STACK`, or else `default`, or else the newest one.
 *
 * @throws `CommandError` if no such stack runs
 */
export async function getStack({ stack: named }: Pick<ConnectOptions, 'stack'>): Promise<LocalStack> {
  const name = named ?? (process.env['AGIO_STACK'] || undefined)
  if (name !== undefined && !isStackName(name)) throw new CommandError('input', `Invalid name of a stack: '${name}'`)
  const stack = await findLocalStack(name)
  if (stack) return stack
  const missing = name === undefined ? 'no local stack runs' : `no local stack named '${name}' runs`
  throw new CommandError('upstream', `Cannot find the service: ${missing}. Start one with agio dev, or set AGIO_URL`)
}

/** Parses the option `--chain`, a name or an id. @throws `CommandError` */
export function parseChain(text: string): ChainId {
  const network = findNetwork(text)
  if (network) return network.chainId
  const names = Network.all.map(({ slug, chainId }) => `${slug} (${chainId})`).join(', ')
  throw new CommandError('input', `Unknown chain '${text}': the chains are ${names}`)
}

/** Reads a deployment file, or a file with contracts by chain id. @throws `CommandError` */
async function readPins(path: string): Promise<PinnedContracts> {
  const content = await readJson(path)
  if (typeof content !== 'object' || content === null) throw new CommandError('input', `${path} has no contracts`)
  return 'router' in content && 'chainId' in content ? { [String(content.chainId)]: content } : content
}

/** Reads a JSON file. @throws `CommandError` */
export async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    throw new CommandError('input', `Cannot read ${path}: ${isMissing ? 'no such file' : 'it is not JSON'}`, { cause })
  }
}
