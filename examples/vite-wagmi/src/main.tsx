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
  const { mutate: connect } = useConnect()
  const wallets = useConnectors().map((connector) => ({ label: connector.name, onClick: () => connect({ connector }) }))
  const tokens = useTokens({ chainId })
  const [amountIn, setAmountIn] = useState('100')
  const [symbol, setSymbol] = useState('tUSD')
  const [tokenIn, tokenOut] = ['tAUD', symbol].map((name) => tokens.find((token) => token.symbol === name)?.address)
  const quote = useQuote({ chainId, tokenIn, tokenOut, amountIn }, { wallet })
  const { text, buttons, isBusy } = useConvert({ wallet, quote })
  return (
    <>
      Pay <input value={amountIn} disabled={isBusy} onChange={({ target }) => setAmountIn(target.value)} /> tAUD for{' '}
      <select value={symbol} disabled={isBusy} onChange={({ target }) => setSymbol(target.value)}>
        {tokens.map((token) => token.address !== tokenIn && <option key={token.address}>{token.symbol}</option>)}
      </select>
      <p>{quote.quote && `You receive ${quote.quote.amountOut} ${symbol}`}</p>
      <output>{text}</output>
      {(wallet ? buttons : wallets).map(({ label, onClick }) => (
        <button key={label} onClick={onClick}>
          {label}
        </button>
      ))}
    </>
  )
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
