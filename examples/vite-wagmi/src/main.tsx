import { AgioProvider, useConvert, useQuote, useTokens } from '@agio/react'
import { localContracts } from '@agio/sdk/testing'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { createConfig, http, useConnect, useConnectors, useWalletClient, WagmiProvider } from 'wagmi'
import { baseSepolia } from 'wagmi/chains'

const chainId = baseSepolia.id
const config = createConfig({ chains: [baseSepolia], transports: { [chainId]: http() } })

function Convert() {
  const { data: wallet } = useWalletClient()
  const tokens = useTokens({ chainId })
  const [terms, setTerms] = useState({ amountIn: '100', tokenIn: 'tAUD', tokenOut: 'tUSD' })
  const find = (name: string) => tokens.find(({ symbol }) => symbol === name)?.address
  const pair = { tokenIn: find(terms.tokenIn), tokenOut: find(terms.tokenOut) }
  const quote = useQuote({ chainId, ...pair, amountIn: terms.amountIn }, { wallet })
  const { text, buttons, isBusy } = useConvert({ wallet, quote })
  const set = (name: keyof typeof terms) => ({
    value: terms[name],
    onChange: ({ target }: { target: { value: string } }) => setTerms({ ...terms, [name]: target.value }),
  })
  const options = tokens.map(({ symbol }) => <option key={symbol}>{symbol}</option>)
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <fieldset disabled={isBusy}>
        Pay <input {...set('amountIn')} /> of <select {...set('tokenIn')}>{options}</select> for{' '}
        <select {...set('tokenOut')}>{options}</select>
      </fieldset>
      <p>{quote.quote && `You receive ${quote.quote.amountOut} ${quote.quote.tokenOut.symbol}`}</p>
      <output>{text}</output>
      {wallet ? (
        buttons.map(({ action, label, onClick }) => (
          <button key={action} onClick={onClick}>
            {label}
          </button>
        ))
      ) : (
        <Connect />
      )}
    </form>
  )
}

function Connect() {
  const { mutate: connect } = useConnect()
  return useConnectors().map((connector) => (
    <button key={connector.uid} onClick={() => connect({ connector })}>
      Connect {connector.name}
    </button>
  ))
}

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <WagmiProvider config={config}>
      <QueryClientProvider client={new QueryClient()}>
        <AgioProvider url="/agio" contracts={localContracts}>
          <Convert />
        </AgioProvider>
      </QueryClientProvider>
    </WagmiProvider>
  </StrictMode>,
)
