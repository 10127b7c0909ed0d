import { Decimal, findPair } from '@agio/react/internal'
import type { Chain } from '@agio/sdk'
import { useEffect } from 'react'
import { useSearchParams } from 'wouter'
import { useForm } from './useForm.ts'

/**
 * Enters the tokens and the amount of a link such as `?from=tAUD&to=tUSD&amount=100`, and removes them from the URL. A link
 * chooses neither the recipient nor the tolerance.
 */
export function useFormOfUrl(chain: Chain | undefined): void {
  const [search, setSearch] = useSearchParams()
  const [from, to, amount] = names.map((name) => search.get(name) ?? undefined)
  useEffect(() => {
    if (!chain || (from ?? to ?? amount) === undefined) return
    const { setPair, setText } = useForm.getState()
    const [tokenIn, tokenOut] = findPair(chain.tokens, { tokenIn: from, tokenOut: to })
    if ((from ?? to) !== undefined && tokenIn && tokenOut) {
      setPair(chain.chainId, { tokenIn: tokenIn.address, tokenOut: tokenOut.address })
    }
    if (amount !== undefined && /^\d+(\.\d+)?$/.test(amount)) setText('exact-in', Decimal.localize(amount))
    const remove = (params: URLSearchParams) => {
      for (const name of names) params.delete(name)
      return params
    }
    setSearch(remove, { replace: true })
  }, [chain, from, to, amount, setSearch])
}

const names = ['from', 'to', 'amount'] as const
