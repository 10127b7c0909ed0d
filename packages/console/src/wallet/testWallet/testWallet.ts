import { announceWallet, createTestWallet, testAccounts, type Decision, type Prompt } from '@agio/sdk/testing'
import type { Config } from 'wagmi'
import { connect, getConnection, getConnectors } from 'wagmi/actions'
import type { Console, Environment } from '../../settings/console.ts'
import { useNetwork } from '../../settings/network.ts'
import type { LocalStack } from '../../settings/settings.ts'
import type { BrowserStorage } from '../../storage/browserStorage.ts'
import { useAnswer } from './answers.ts'
import { showPrompt } from './prompts.ts'
import { takeStored, whileStored } from './storedPrompts.ts'
import walletIcon from './testWallet.svg'
import { testWalletId } from './testWalletId.ts'

const chainName = 'agio.test-wallet.chain'

/**
 * Announces the test wallet, which uses the nodes of a local stack, like a browser extension. Connects it, unless the
 * user has selected another wallet or disconnected. Its prompts are dialogs of the page.
 */
export async function startTestWallet(console: Console, { rpcUrls }: LocalStack): Promise<void> {
  const { wagmiConfig: config, sessionStore, localStore } = console
  const isChosen = await isConnectedByUser(config)
  const wallet = createTestWallet({
    privateKey: testAccounts[1].privateKey,
    chainId: findChain(sessionStore, rpcUrls) ?? useNetwork.of(console).getState().network.chainId,
    rpcUrls,
    // The user has connected it before, or opens the page for the first time.
    isConnected: isChosen,
  })
  const repeated = new WeakSet<object>()
  wallet.answer((prompt) => decide(console, prompt, repeated.has(prompt.params)))
  wallet.on('chainChanged', (next) => sessionStore.setItem(chainName, next))
  announceWallet(wallet, { name: 'Test wallet', rdns: testWalletId, icon: await toDataUri(walletIcon) })
  takeStored(localStore, (request) => {
    repeated.add(request.params)
    // Errors concern the page that sent the request, which is gone.
    void wallet.request(request).catch(() => {})
  })
  const connector = getConnectors(config).find(({ id }) => id === testWalletId)
  if (isChosen && connector && !getConnection(config).isConnected) await connect(config, { connector })
}

/** Answers a prompt automatically if the user has set an answer, else asks the user. */
async function decide(environment: Environment, prompt: Prompt, isRepeated: boolean): Promise<Decision> {
  const { answer } = useAnswer.of(environment).getState()
  if (answer !== 'ask') return answer
  const { method, params } = prompt
  const show = () => showPrompt(environment, { prompt, isRepeated })
  // The prompt of a transaction survives a reload, as in a wallet that is not part of the page.
  return method === 'eth_sendTransaction'
    ? await whileStored(environment.localStore, { method, params }, show)
    : await show()
}

/** Returns whether to connect the test wallet: no other wallet was used last, and the user has not disconnected it. */
async function isConnectedByUser({ storage }: Config): Promise<boolean> {
  const recent = await storage?.getItem('recentConnectorId')
  if (typeof recent === 'string' && recent !== testWalletId) return false
  return (await storage?.getItem(`${testWalletId}.disconnected` as 'injected.disconnected')) !== true
}

/** Returns the chain of the wallet before a reload. */
function findChain(sessionStore: BrowserStorage, rpcUrls: LocalStack['rpcUrls']): number | undefined {
  const stored = Number(sessionStore.getItem(chainName))
  return rpcUrls[stored] === undefined ? undefined : stored
}

/** Converts an icon to a data URI, as EIP-6963 requires. */
async function toDataUri(url: string): Promise<string> {
  const text = await (await fetch(url)).text()
  return `data:image/svg+xml,${encodeURIComponent(text)}`
}
