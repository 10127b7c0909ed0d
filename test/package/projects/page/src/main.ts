import { createAgio } from '@agio/sdk'
import { createStore } from './createStore'
import { findWallet } from './findWallet'
import { showConversion } from './showConversion'

const chainId = 84532
const settings = new URLSearchParams(location.search)
const [url, apiKey] = [settings.get('url')!, settings.get('apiKey')!]
const agio = createAgio({ url, apiKey, contracts: 'service' })
const wallet = findWallet()
const store = createStore()

// What a reload has interrupted goes on.
for (const step of store.list()) void showConversion(agio.resume(step, { wallet }), store)

const form = document.forms[0]!
const { tokens } = await agio.api.faucet.tokens.query({ chainId })
for (const select of form.querySelectorAll('select')) {
  select.append(...tokens.map(({ symbol, address }) => new Option(symbol, address)))
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const read = (name: string) => String(new FormData(form).get(name)) as `0x${string}`
  const request = { chainId, tokenIn: read('tokenIn'), tokenOut: read('tokenOut'), amountIn: read('amountIn') } as const
  const quote = await agio.quote(request)
  await showConversion(agio.convert({ quote, wallet }), store)
})
form.dataset['ready'] = 'true'
