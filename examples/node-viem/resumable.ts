// A conversion that survives a crash: run the program again, and it resumes from the stored step.
import { createAgio, isAgioError, type Step } from '@agio/sdk'
import { localContracts, testAccounts } from '@agio/sdk/testing'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const [aud, usd] = ['0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0', '0x5FbDB2315678afecb367f032d93F642f64180aa3'] as const
const account = privateKeyToAccount(testAccounts[2].privateKey)
const wallet = createWalletClient({ account, transport: http('http://127.0.0.1:8545') })
const agio = createAgio({ url: 'http://127.0.0.1:3000', apiKey: 'local-key', contracts: localContracts })

const file = 'conversion.json'
const request = { chainId: 84532, tokenIn: aud, tokenOut: usd, amountIn: '100' } as const

try {
  const conversion = existsSync(file)
    ? agio.resume(JSON.parse(readFileSync(file, 'utf8')), { wallet })
    : agio.convert({ quote: await agio.quote(request), wallet })
  for await (const step of conversion) {
    store(step)
    console.log(step.kind, step.status)
    if (step.kind === 'confirm' && step.status === 'done') console.log(`Received ${step.receipt.amountOut}`)
  }
  rmSync(file)
} catch (error) {
  if (!isAgioError(error)) throw error
  // After a refusal or a failure nothing is pending, so the next run starts anew.
  if (error.action !== 'resume') rmSync(file, { force: true })
  console.error(`${error.message}. Next: ${error.action}`)
  process.exitCode = 1
}

/**
 * Stores a step by replacing the file atomically: after a crash it holds the previous step or this step, never a part.
 */
function store(step: Step): void {
  writeFileSync(`${file}.new`, JSON.stringify(step))
  renameSync(`${file}.new`, file)
}
