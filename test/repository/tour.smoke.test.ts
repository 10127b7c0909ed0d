import { execFile } from 'node:child_process'
import { glob, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { localServiceDefaults } from '@agio/localnet'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const quickstart = 'docs/guide/quickstart.md'
const guide = (await Array.fromAsync(glob('docs/guide/*.md', { cwd: root }))).toSorted()

const endOfBlock = '<end of block>'

// Stands for what a document leaves out: the rest of a text, fields of an object, or elements of a list.
const cut = '…'

const volatileFields =
  /^(block(Number|Hash|Timestamp)|transactionHash|deadline|nonce|confirmations|requestId|\w*[gG]as\w*|\w*(At|Open|Close|Seconds))$/

let agio: AgioStack
let snapshot: Awaited<ReturnType<AgioStack['snapshot']>>

beforeAll(async () => {
  agio = await startAgio({ ...localServiceDefaults, finalityBlocks: 5 })
  return () => agio.stop()
})

afterEach(() => snapshot.restore())

it.each(['README.md', quickstart])(
  'the commands of %s print the responses that it shows, when they are run as printed on new chains',
  async (path) => {
    snapshot = await agio.snapshot()
    expect(await listDifferences(await readSteps(path))).toEqual([])
  },
)

describe('the other pages of the guide', () => {
  let variables: Step

  beforeAll(async () => {
    const steps = await readSteps(quickstart)
    variables = steps[0] as Step
    await run(steps)
    snapshot = await agio.snapshot()
  })

  it.each(guide.filter((path) => path !== quickstart))(
    'the commands of %s print the responses that it shows, when they are run as printed after the quickstart',
    async (path) => {
      const steps = await readSteps(path)
      expect(steps.length).toBeGreaterThan(0)
      expect(await listDifferences([variables, ...steps])).toEqual([])
    },
  )
})

type Step = { readonly command: string; readonly shown: Block | undefined }
type Block = { readonly language: string; readonly text: string }

/** Reads the shell blocks of a page, each with the output that the page shows below it. Blocks marked `skip` are not run. */
async function readSteps(path: string): Promise<readonly Step[]> {
  const page = await readFile(new URL(path, `file://${root}`), 'utf8')
  const found = Array.from(page.matchAll(/^```(.*)\n([\s\S]*?)^```/gm), ([, language = '', text = '']) => ({
    language,
    text,
  }))
  return found.flatMap(({ language, text }, index) => {
    if (language !== 'sh') return []
    const next = found[index + 1]
    return [{ command: text, shown: next && ['json', 'text'].includes(next.language) ? next : undefined }]
  })
}

/** Runs commands, and lists the differences between the outputs that the page shows and the real ones, and errors that it does not show. */
async function listDifferences(steps: readonly Step[]): Promise<readonly string[]> {
  const outputs = await run(steps)
  return steps.flatMap(({ command, shown }, index) => {
    const output = outputs[index] ?? ''
    const differences = shown ? compareOutput(shown, output) : (output.match(/^\{"success":false.*/gm) ?? [])
    return differences.map((difference) => `${difference}, printed by:\n${command}`)
  })
}

/** Runs commands one after the other in one shell against the stack, and returns the output of each. */
async function run(steps: readonly Step[]): Promise<readonly string[]> {
  const { rpcUrl } = agio.localnet.chains[84532]
  const script = steps
    .map(({ command }) => `${command}\necho; echo '${endOfBlock}'`)
    .join('\n')
    .replaceAll('http://127.0.0.1:3000', agio.url)
    .replaceAll('npx -y pnpm@12 --silent sign', 'node packages/cli/src/main.ts sign')
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], {
    cwd: root,
    env: {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      RPC_PORT: new URL(rpcUrl).port,
    },
  })
  return stdout.replaceAll('\r', '').split(endOfBlock).slice(0, -1)
}

/** Lists the differences between the output that a page shows and the real one. A JSON block has a response per line of the output. */
function compareOutput({ language, text }: Block, output: string): readonly string[] {
  if (language === 'text') return isShownAs(text.trim(), output.trim()) ? [] : [`shown:\n${text}\nprinted:\n${output}`]
  const responses = text.trim().split(/\n(?=\{)/)
  const printed = output.split('\n').filter((line) => line !== '')
  if (responses.length !== printed.length) return [`${responses.length} responses, but it prints:\n${output}`]
  return responses.flatMap((response, index) => compareResponse(response, printed[index] as string))
}

/**
 * Lists the differences between a response that a document shows and the real response, each with its path. Hashes, times and
 * gas are compared by their form, because they differ each time.
 *
 * @param shown JSON in which `…` stands for cut text, fields or elements
 */
function compareResponse(shown: string, real: string): readonly string[] {
  const text = shown.replaceAll(/"(?:[^"\\]|\\.)*"|…/g, (token) => (token === cut ? 'cut' : token))
  return compare(runInNewContext(`(${text})`, { cut }), JSON.parse(real), { path: '', field: '' })
}

/** Returns whether an output equals a text in which `…` stands for anything. */
function isShownAs(shown: string, output: string): boolean {
  const parts = shown.split(cut).map((part) => RegExp.escape(part))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(output)
}

type Place = { readonly path: string; readonly field: string }

function compare(shown: unknown, real: unknown, place: Place): readonly string[] {
  if (Array.isArray(shown)) return compareLists(shown, real, place)
  if (typeof shown === 'object' && shown !== null) return compareObjects(shown, real, place)
  return isShownValue(shown, real, place) ? [] : [`${place.path}: ${String(shown)}, but it is ${JSON.stringify(real)}`]
}

function compareObjects({ cut: isCut, ...shown }: { readonly cut?: string }, real: unknown, { path }: Place) {
  if (typeof real !== 'object' || real === null) return [`${path}: an object, but it is ${JSON.stringify(real)}`]
  const fields = Object.entries(shown)
  const missing = isCut === undefined ? Object.keys(real).filter((field) => !Object.hasOwn(shown, field)) : []
  return [
    ...missing.map((field) => `${path}.${field}: left out without …`),
    ...fields.flatMap(([field, value]) => compare(value, real[field as never], { path: `${path}.${field}`, field })),
  ]
}

function compareLists(shown: readonly unknown[], real: unknown, { path, field }: Place): readonly string[] {
  if (!Array.isArray(real)) return [`${path}: a list, but it is ${JSON.stringify(real)}`]
  const at = shown.indexOf(cut)
  const [head, tail] = at === -1 ? [shown, []] : [shown.slice(0, at), shown.slice(at + 1)]
  const isLength = at === -1 ? real.length === shown.length : real.length >= head.length + tail.length
  if (!isLength) return [`${path}: ${shown.length} elements, but there are ${real.length}`]
  const compareFrom = (values: readonly unknown[], start: number) =>
    values.flatMap((value, index) => compare(value, real[start + index], { path: `${path}[${start + index}]`, field }))
  return [...compareFrom(head, 0), ...compareFrom(tail, real.length - tail.length)]
}

function isShownValue(shown: unknown, real: unknown, { field }: Place): boolean {
  if (typeof shown !== typeof real) return false
  const toText = volatileFields.test(field) ? toForm : String
  return isShownAs(toText(shown), toText(real))
}

/** Returns a value with each run of hexadecimal digits replaced. */
function toForm(value: unknown): string {
  return String(value).replaceAll(/[0-9a-f]+/gi, '0')
}
