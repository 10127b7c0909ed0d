// The fetch adapter of trpc-to-openapi over one procedure, which calls the node at UPSTREAM with readContract for every
// request, or returns a constant response without UPSTREAM.
import process from 'node:process'
import { poolAbi } from '@agio/chain/abi'
import { serve } from '@hono/node-server'
import { initTRPC } from '@trpc/server'
import { createOpenApiFetchHandler, type OpenApiMeta } from 'trpc-to-openapi'
import { createPublicClient, formatUnits, http, parseUnits } from 'viem'
import { previewAnswer } from './previewAnswer.ts'
import { previewSchemas } from './previewSchemas.ts'

const { UPSTREAM } = process.env
const client = UPSTREAM === undefined ? undefined : createPublicClient({ transport: http(UPSTREAM) })

const t = initTRPC.meta<OpenApiMeta>().create()

const router = t.router({
  preview: t.procedure
    .meta({ openapi: { method: 'POST', path: '/api/v1/convert/preview' } })
    .input(previewSchemas.input)
    .output(previewSchemas.output)
    .query(async ({ input: { poolAddress, tokenIn, tokenOut, amountIn } }) => {
      if (!client || !poolAddress) return { ...previewAnswer, amountIn }
      const args = [tokenIn, tokenOut, parseUnits(amountIn, 6)] as const
      const call = { address: poolAddress, abi: poolAbi, functionName: 'viewOriginSwap', args } as const
      return { ...previewAnswer, amountIn, amountOut: formatUnits(await client.readContract(call), 6) }
    }),
})

const fetch = (req: Request) => createOpenApiFetchHandler({ endpoint: '/', router, req })

serve({ fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(`ready on http://127.0.0.1:${port}`))
