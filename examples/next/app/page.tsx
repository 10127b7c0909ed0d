import { createAgio } from '@agio/sdk'
import { Convert } from './Convert'
import { apiKey, url } from './service'

// Prices are read for each request.
export const dynamic = 'force-dynamic'

const agio = createAgio({ url, apiKey })

export default async function Page() {
  const { prices } = await agio.api.oracle.prices.query({ chainId: 84532 })
  return (
    <main>
      <ul>
        {Object.entries(prices).map(([symbol, price]) => (
          <li key={symbol}>
            {symbol}: {price?.usd} US dollars
          </li>
        ))}
      </ul>
      <Convert />
    </main>
  )
}
