import { Network } from '@agio/core'
import { expect, it } from 'vitest'
import { createConsolePage } from './createConsolePage.ts'

const [first, second] = Network.chainIds as readonly [Network.ChainId, Network.ChainId]
const template =
  '<html data-root="__CONSOLE_ROOT__"><script type="application/json">__CONSOLE_SETTINGS__</script><link nonce="__CONSOLE_NONCE__"><style nonce="__CONSOLE_NONCE__"></style>'

const chain = (chainId: Network.ChainId, local: boolean) => ({
  chainId,
  name: Network.get(chainId).name,
  deployment: { local },
})
const settings = (parts: object) =>
  ({ chains: { [first]: chain(first, false) }, console: {}, ...parts }) as unknown as createConsolePage.Dependencies

async function render(parts: object = {}, path = '/console') {
  const response = createConsolePage(settings(parts))(template, path)
  const html = await response.text()
  const json = /json">(.*?)<\/script>/s.exec(html)?.[1] ?? ''
  const nonces = [...html.matchAll(/nonce="(.*?)"/g)].map(([, nonce]) => nonce)
  const policy = response.headers.get('content-security-policy') ?? ''
  return { html, headers: response.headers, nonces, policy, pageSettings: JSON.parse(json) as unknown }
}

it('the page contains its nonce in each place, and each response has another one', async () => {
  const [one, other] = [await render(), await render()]
  for (const { nonces, policy } of [one, other]) {
    expect(new Set(nonces).size).toBe(1)
    expect(nonces[0]).toMatch(/^[\w-]{22}$/)
    expect(policy).toContain(`style-src 'self' 'nonce-${nonces[0]}'`)
  }
  expect(one.nonces[0]).not.toBe(other.nonces[0])
})

it('the policy of the page lets it load its own files and call its own service, and nothing else', async () => {
  const { policy, nonces } = await render()
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonces[0]}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
})

it('the page contains the served networks, without an explorer for local chains', async () => {
  const { nativeCurrency, blockExplorer, name } = Network.get(first)
  const chains = { [second]: chain(second, true), [first]: chain(first, false) }
  expect((await render({ chains })).pageSettings).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
    networks: [
      { chainId: first, name, nativeCurrency, blockExplorer },
      {
        ...Network.get(second),
        slug: undefined,
        finalityDepths: undefined,
        feeCeilings: undefined,
        blockExplorer: null,
      },
    ],
  })
})

it('the page of a local stack contains its keys and nodes, and may call these nodes', async () => {
  const local = {
    apiKey: 'key',
    adminKey: 'admin',
    rpcUrls: { [first]: 'http://127.0.0.1:8710/path', [second]: 'http://127.0.0.1:8711' },
  }
  const { pageSettings, policy } = await render({ console: { local } })
  expect(pageSettings).toMatchObject({ local })
  expect(policy).toContain("connect-src 'self' http://127.0.0.1:8710 http://127.0.0.1:8711;")
})

it('no value of the settings can end their script or is a pattern of replacement', async () => {
  const hostile = '</script><script>alert(1)</script><!-- $& $1 __CONSOLE_NONCE__ \u2028'
  const local = { apiKey: hostile, adminKey: 'admin', rpcUrls: {} }
  const { html, pageSettings } = await render({ console: { local } })
  expect(html.match(/<\/?script/g)).toHaveLength(2)
  expect(pageSettings).toMatchObject({ local })
})
