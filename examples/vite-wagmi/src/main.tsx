import type { Conversion } from '@agio/sdk'
import { QueryClient, QueryClientProvider, skipToken, useQuery } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { createRoot } from 'react-dom/client'
import { createConfig, http, useConnect, useConnectors, useWalletClient, WagmiProvider } from 'wagmi'
import { arbitrumSepolia, baseSepolia } from 'wagmi/chains'
import { agio, chainId } from './agio.ts'
import { describeError, describeStep } from './describe.ts'
import { findStoredStep, follow } from './storedStep.ts'
import { listTokens } from './tokens.ts'

const config = createConfig({
  chains: [baseSepolia, arbitrumSepolia],
  transports: { [baseSepolia.id]: http(), [arbitrumSepolia.id]: http() },
})

createRoot(document.querySelector('#root')!).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}>
      <Connect />
      <Convert />
    </QueryClientProvider>
  </WagmiProvider>,
)

function Connect() {
  const { mutate: connect } = useConnect()
  const connectors = useConnectors()
  const { data: wallet } = useWalletClient()
  if (wallet) return <p>{wallet.account.address}</p>
  return connectors.map((connector) => (
    <button key={connector.uid} onClick={() => connect({ connector })}>
      Connect {connector.name}
    </button>
  ))
}

function Convert() {
  const { data: wallet } = useWalletClient()
  const { data: tokens = [] } = useQuery({ queryKey: ['tokens'], queryFn: ({ signal }) => listTokens(signal) })
  const [terms, setTerms] = useState({ amountIn: '100', tokenIn: 'tAUD', tokenOut: 'tUSD' })
  const [message, setMessage] = useState(findStoredStep() ? 'A conversion is unfinished' : '')
  const [isConverting, setIsConverting] = useState(false)

  const tokenIn = tokens.find(({ symbol }) => symbol === terms.tokenIn)?.address
  const tokenOut = tokens.find(({ symbol }) => symbol === terms.tokenOut)?.address
  const { data: quote, error } = useQuery({
    queryKey: ['quote', tokenIn, tokenOut, terms.amountIn],
    queryFn:
      tokenIn && tokenOut
        ? ({ signal }) => agio.quote({ chainId, tokenIn, tokenOut, amountIn: terms.amountIn }, { signal })
        : skipToken,
    enabled: !isConverting,
    refetchInterval: 20_000,
    // The client has already retried errors that are temporary.
    retry: false,
  })

  async function run(conversion: Conversion) {
    setIsConverting(true)
    try {
      await follow(conversion, (step) => setMessage(describeStep(step)))
    } catch (cause) {
      setMessage(describeError(cause))
    }
    setIsConverting(false)
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    const step = findStoredStep()
    if (!wallet) setMessage('Connect a wallet first')
    else if (step) void run(agio.resume(step, { wallet }))
    else if (quote) void run(agio.convert({ quote, wallet }))
  }

  return (
    <form onSubmit={submit} inert={isConverting}>
      <label>
        Pay <input value={terms.amountIn} onChange={({ target }) => setTerms({ ...terms, amountIn: target.value })} />
      </label>
      {(['tokenIn', 'tokenOut'] as const).map((name) => (
        <label key={name}>
          {name === 'tokenIn' ? ' of ' : ' for '}
          <select value={terms[name]} onChange={({ target }) => setTerms({ ...terms, [name]: target.value })}>
            {tokens.map(({ symbol }) => (
              <option key={symbol}>{symbol}</option>
            ))}
          </select>
        </label>
      ))}{' '}
      <button>{findStoredStep() ? 'Resume' : 'Convert'}</button>
      <p>{error ? describeError(error) : quote && `You receive ${quote.amountOut} ${quote.tokenOut.symbol}`}</p>
      <output>{message}</output>
    </form>
  )
}
