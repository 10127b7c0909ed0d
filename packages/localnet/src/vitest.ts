// `@agio/localnet/vitest`: the fixtures of vitest.
import process from 'node:process'
import { inject, test as base } from 'vitest'
import type { LocalWallet } from './stack/createLocalWallet.ts'
import { connectAgio, type ConnectedAgio } from './stack/connectAgio.ts'
import type { StackConnection } from './stack/createStackClient.ts'
import './stack/ProvidedStack.ts'

/**
 * The `test` of vitest with the stack of the run and a funded wallet. The first test of a file that uses the stack returns it
 * to the state after its start.
 *
 * @example
 * import { test } from '@agio/localnet/vitest'
 *
 * test('a conversion pays the quoted amount', async ({ agio, wallet }) => {
 *   const { tAUD, tUSD } = agio.tokens[84532]
 *   const quote = await agio.client.quote({ chainId: 84532, tokenIn: tAUD, tokenOut: tUSD, amountIn: '100' })
 *   await agio.client.convert({ quote, wallet })
 * })
 */
export const test = base.extend<{ readonly agio: ConnectedAgio; readonly wallet: LocalWallet }>({
  agio: [
    // oxlint-disable-next-line no-empty-pattern -- vitest reads the names of the needed fixtures from the pattern
    async ({}, use) => {
      const { connection, snapshotId } = getStack()
      // The chains that the setup has started are known at run time only.
      const agio = connectAgio(connection as StackConnection)
      await agio.restore(snapshotId)
      await use(agio)
    },
    { scope: 'file' },
  ],
  async wallet({ agio }, use) {
    const [tokens = {}] = Object.values<Readonly<Record<string, string>>>(agio.tokens)
    await use(await agio.wallet(Object.fromEntries(Object.keys(tokens).map((symbol) => [symbol, '1000']))))
  },
})

function getStack() {
  const stacks = inject('agioStacks')
  // Workers that run at the same time have the numbers from 1 to `maxWorkers`.
  const stack = stacks?.[Number(process.env['VITEST_POOL_ID'] ?? 1) - 1]
  if (stack) return stack
  throw new Error('No stack runs. Add "@agio/localnet/vitest/setup" to globalSetup in the config of vitest')
}
