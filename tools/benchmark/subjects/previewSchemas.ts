import { appRouter } from '@agio/api'
import type { z } from 'zod'

type Definition = { readonly inputs: readonly [z.ZodType<PreviewInput>]; readonly output: z.ZodType }

type PreviewInput = {
  readonly poolAddress?: `0x${string}`
  readonly tokenIn: `0x${string}`
  readonly tokenOut: `0x${string}`
  readonly amountIn: string
}

const { inputs, output } = appRouter.convert.preview._def as unknown as Definition

/** The schemas of `convert/preview`, which every parsing subject uses. */
export const previewSchemas = { input: inputs[0], output }
