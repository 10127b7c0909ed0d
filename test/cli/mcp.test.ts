import { expect, it } from 'vitest'
import { startCommandStack } from './startCommandStack.ts'

it('agio mcp lists the tools that change the stack for the local stack, and for no service that AGIO_URL names', async () => {
  await using agio = await startCommandStack()
  const input = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
  const list = async (env: Readonly<Record<string, string>>) => {
    const { rows } = await agio.run(['mcp'], { input, env })
    const { result } = JSON.parse(rows[0] ?? '') as {
      readonly result: { readonly tools: readonly { readonly name: string }[] }
    }
    return result.tools.map(({ name }) => name)
  }
  expect(await list({})).toEqual(expect.arrayContaining(['list_networks', 'fund_account', 'run_scenario']))
  const named = await list({ AGIO_URL: agio.stack.url, AGIO_API_KEY: 'local-key' })
  expect(named).toContain('list_networks')
  expect(named).not.toContain('fund_account')
})
