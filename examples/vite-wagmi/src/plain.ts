import type { AgioQuote, Conversion, Eip1193Provider } from '@agio/sdk'
import { agio, chainId } from './agio.ts'
import { describeError, describeStep } from './describe.ts'
import { findStoredStep, follow } from './storedStep.ts'
import { listTokens } from './tokens.ts'

const form = document.querySelector('form')!
const terms = document.querySelector('p')!
const output = document.querySelector('output')!
const [tokenInSelect, tokenOutSelect, walletSelect] = form.querySelectorAll('select')
const valueOf = (name: string) => String(new FormData(form).get(name))

const wallets = new Map<string, Eip1193Provider>()
const tokens = await listTokens().catch((error: unknown) => {
  output.textContent = describeError(error)
  return []
})
let quote: AgioQuote | undefined
let quoting = new AbortController()

for (const { symbol } of tokens) {
  tokenInSelect?.add(new Option(symbol))
  tokenOutSelect?.add(new Option(symbol, symbol, false, symbol === 'tUSD'))
}

// Each wallet of the browser announces its name and its provider (EIP-6963).
type Announcement = CustomEvent<{ info: { uuid: string; name: string }; provider: Eip1193Provider }>
window.addEventListener('eip6963:announceProvider', (event) => {
  const { info, provider } = (event as Announcement).detail
  if (!wallets.has(info.uuid)) walletSelect?.add(new Option(info.name, info.uuid))
  wallets.set(info.uuid, provider)
})
window.dispatchEvent(new Event('eip6963:requestProvider'))

form.addEventListener('input', () => void showQuote())
form.addEventListener('submit', (event) => {
  event.preventDefault()
  const wallet = wallets.get(valueOf('wallet'))
  const step = findStoredStep()
  if (!wallet) output.textContent = 'Install a wallet first'
  else if (step) void convert(agio.resume(step, { wallet }))
  else if (quote) void convert(agio.convert({ quote, wallet }))
})
form.inert = false

if (findStoredStep()) output.textContent = 'A conversion is unfinished. Press Convert to resume it'
await showQuote()

async function showQuote(): Promise<void> {
  quoting.abort()
  quoting = new AbortController()
  const { signal } = quoting
  quote = undefined
  const [tokenIn, tokenOut] = [valueOf('tokenIn'), valueOf('tokenOut')].map((symbol) =>
    tokens.find((token) => token.symbol === symbol),
  )
  if (!tokenIn || !tokenOut) return
  const pair = { tokenIn: tokenIn.address, tokenOut: tokenOut.address }
  try {
    quote = await agio.quote({ chainId, ...pair, amountIn: valueOf('amountIn') }, { signal })
    terms.textContent = `You receive ${quote.amountOut} ${tokenOut.symbol}`
  } catch (error) {
    if (!signal.aborted) terms.textContent = describeError(error)
  }
}

async function convert(conversion: Conversion): Promise<void> {
  form.inert = true
  try {
    await follow(conversion, (step) => {
      output.textContent = describeStep(step)
    })
  } catch (error) {
    output.textContent = describeError(error)
  }
  form.inert = false
  await showQuote()
}
