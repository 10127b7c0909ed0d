// One endpoint of Hono and zod that parses a preview by its schema and returns a constant response.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { previewAnswer } from './previewAnswer.ts'
import { previewSchemas } from './previewSchemas.ts'

const app = new Hono().post('/api/v1/convert/preview', async (c) => {
  const { amountIn } = previewSchemas.input.parse(await c.req.json())
  return c.json({ success: true, data: { ...previewAnswer, amountIn } })
})

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  console.log(`ready on http://127.0.0.1:${port}`)
})
