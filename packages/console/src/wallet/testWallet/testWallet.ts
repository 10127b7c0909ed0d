import { announceWallet, createTestWallet, testAccounts, type Decision, type Prompt } from '@agio/sdk/testing'
import type { Config } from 'wagmi'
import { connect, getConnection, getConnectors } from 'wagmi/actions'
import type { LocalStack } from '../../settings/settings.ts'
import { useAnswer } from './answers.ts'
import { showPrompt } from './prompts.ts'
import { takeStored, whileStored } from './storedPrompts.ts'
import walletIcon from './testWallet.svg'
import { testWalletId } from './testWalletId.ts'
import { sessionStore } from '../../storage/browserStorage.ts'

const chainName = 'agio.test-wallet.chain'

/**
 * Announces the test wallet, which uses the nodes of a local stack, like a browser extension. Connects it, unless the
 * user has selected another wallet or disconnected. Its prompts are dialogs of the page.
 */
export async function startTestWallet(config: Config, { rpcUrls, chainId }: startTestWallet.Options): Promise<void> {
  const isChosen = await isConnectedByUser(config)
  const wallet = createTestWallet({
    privateKey: testAccounts[1].privateKey,
    chainId: findChain(rpcUrls) ?? chainId,
    rpcUrls,
    // The user has connected it before, or opens the page for the first time.
    isConnected: isChosen,
  })
  wallet.answer(decide)
  wallet.on('chainChanged', (next) => sessionStore.setItem(chainName, next))
  announceWallet(wallet, { name: 'Test wallet', rdns: testWalletId, icon: await toDataUri(walletIcon) })
  takeStored((request) => {
    repeated.add(request.params)
    // Errors concern the page that sent the request, which is gone.
    void wallet.request(request).catch(() => {})
  })
  const connector = getConnectors(config).find(({ id }) => id === testWalletId)
  if (isChosen && connector && !getConnection(config).isConnected) await connect(config, { connector })
}

export declare namespace startTestWallet {
  /** The nodes and the first chain of the wallet. */
  type Options = Pick<LocalStack, 'rpcUrls'> & { readonly chainId: number }
}

const repeated = new WeakSet<object>()

/** Answers a prompt automatically if the user has set an answer, else asks the user. */
async function decide(prompt: Prompt): Promise<Decision> {
  const { answer } = useAnswer.getState()
  if (answer !== 'ask') return answer
  const { method, params } = prompt
  const show = () => showPrompt(prompt, { isRepeated: repeated.has(params) })
  // The prompt of a transaction survives a reload, as in a wallet that is not part of the page.
  return method === 'eth_sendTransaction' ? await whileStored({ method, params }, show) : await show()
}

/** Returns whether to connect the test wallet: no other wallet was used last, and the user has not disconnected it. */
async function isConnectedByUser({ storage }: Config): Promise<boolean> {
  const recent = await storage?.getItem('recentConnectorId')
  if (typeof recent === 'string' && recent !== testWalletId) return false
  return (await storage?.getItem(`${testWalletId}.disconnected` as 'injected.disconnected')) !== true
}

/** Returns the chain of the wallet before a reload. */
function findChain(rpcUrls: LocalStack['rpcUrls']): number | undefined {
  const stored = Number(sessionStore.getItem(chainName))
  return rpcUrls[stored] === undefined ? undefined : stored
}

/** Converts an icon to a data URI, as EIP-6963 requires. */
async function toDataUri(url: string): Promise<string> {
  const text = await (await fetch(url)).text()
  return `data:image/svg+xml,${encodeURIComponent(text)}`
}
