import { Decimal } from '@agio/react/internal'
import type { ConversionReceipt } from '@agio/sdk'
import { Amount } from '../amount/Amount.tsx'
import { useServiceNow } from '../service/useServiceNow.ts'
import { Fact, Facts, Panel } from '../ui/Panel.tsx'

/** Compares the quote with the received amount. Shows nothing without a quote. */
export function QuotePanel({ receipt: { quoted, tokenIn, tokenOut, amountIn, amountOut } }: QuotePanel.Props) {
  const now = useServiceNow()
  if (!quoted || !tokenIn || !tokenOut) return null
  return (
    <Panel title="Quote">
      <Facts>
        <Fact name="Quoted to pay">
          <Amount value={quoted.amountIn} symbol={tokenIn.symbol} />
        </Fact>
        <Fact name="Quoted to receive">
          <Amount value={quoted.amountOut} symbol={tokenOut.symbol} />
        </Fact>
        <Fact name="Limit">
          {quoted.minAmountOut !== undefined && (
            <>
              at least <Amount value={quoted.minAmountOut} symbol={tokenOut.symbol} />
            </>
          )}
          {quoted.maxAmountIn !== undefined && (
            <>
              at most <Amount value={quoted.maxAmountIn} symbol={tokenIn.symbol} />
            </>
          )}
        </Fact>
        {amountIn !== undefined && quoted.mode === 'exact-out' && (
          <Difference names={paidNames} token={tokenIn} amounts={[amountIn, quoted.amountIn]} />
        )}
        {amountOut !== undefined && quoted.mode === 'exact-in' && (
          <Difference names={receivedNames} token={tokenOut} amounts={[amountOut, quoted.amountOut]} />
        )}
        <Fact name={Date.parse(quoted.expiresAt) > now ? 'Expires at' : 'Expired at'}>
          <time dateTime={quoted.expiresAt}>{new Date(quoted.expiresAt).toLocaleString()}</time>
        </Fact>
        <Fact name="Block of the quote">{quoted.blockNumber}</Fact>
      </Facts>
    </Panel>
  )
}

export declare namespace QuotePanel {
  type Props = { readonly receipt: ConversionReceipt }
}

/** The names of what was paid or received beyond the quote, and below it. */
type Names = { readonly more: string; readonly less: string }

const paidNames: Names = { more: 'Worse than quoted', less: 'Better than quoted' }
const receivedNames: Names = { more: 'Better than quoted', less: 'Worse than quoted' }

/** Shows by how much an amount differs from its quote. */
function Difference({ names, token: { symbol, decimals }, amounts: [executed, quoted] }: DifferenceProps) {
  const differenceRaw = Decimal.toRaw(executed, decimals) - Decimal.toRaw(quoted, decimals)
  const name = differenceRaw === 0n ? 'Difference from the quote' : differenceRaw > 0n ? names.more : names.less
  return (
    <Fact name={name}>
      {differenceRaw > 0n && '+'}
      <Amount value={Decimal.fromRaw(differenceRaw, decimals)} symbol={symbol} />
    </Fact>
  )
}

type DifferenceProps = {
  readonly names: Names
  readonly token: { readonly symbol: string; readonly decimals: number }
  readonly amounts: readonly [executed: string, quoted: string]
}
