// Converts in its own process: from the stored step, or from a quote if none is stored. It stores each step in the file and
// continues when the test tells it to. The test may kill it at any step.
import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import process from 'node:process'
import {
  createAgio,
  isAgioError,
  type ConversionReceipt,
  type Eip1193Provider,
  type Step,
} from '../../packages/sdk/src/index.ts'
import type { ConversionMessage, ConversionOrder } from './startConversion.ts'

const { url, apiKey, walletUrl, stepFile, request, options } = JSON.parse(process.argv[2] ?? '') as ConversionOrder

const wallet: Eip1193Provider = {
  async request(args) {
    const response = await fetch(walletUrl, { method: 'POST', body: JSON.stringify(args) })
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
    if (error) throw Object.assign(new Error(error.message), error)
    return result
  },
}

async function onStep(step: Step): Promise<void> {
  await writeFile(`${stepFile}.new`, JSON.stringify(step))
  await rename(`${stepFile}.new`, stepFile)
  const isTold = new Promise((resolve) => process.once('message', resolve))
  send({ step })
  await isTold
}

function send(message: ConversionMessage): void {
  process.send?.(message)
}

const agio = createAgio({ url, apiKey, contracts: 'service' })

async function convert(): Promise<ConversionReceipt> {
  const common = { wallet, onStep, ...options }
  if (!existsSync(stepFile)) return await agio.convert({ quote: await agio.quote(request), ...common })
  return await agio.resume(JSON.parse(await readFile(stepFile, 'utf8')) as Step, common)
}

try {
  send({ receipt: await convert() })
} catch (error) {
  if (!isAgioError(error)) throw error
  const { code, message, details } = error
  send({ error: { code, message, details } })
}
process.disconnect()
