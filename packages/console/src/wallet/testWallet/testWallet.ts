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
 * Announces a wallet over the nodes of a local stack as an extension of the browser would, and connects it, unless the user has
 * chosen another wallet, or none. It asks in a dialogue of the page.
 */
export async function startTestWallet(config: Config, { rpcUrls, chainId }: startTestWallet.Options): Promise<void> {
  const wallet = createTestWallet({
    privateKey: testAccounts[1].privateKey,
    chainId: findChain(rpcUrls) ?? chainId,
    rpcUrls,
  })
  const isChosen = await isConnectedByUser(config)
  // Before it has a user to ask, it confirms: the user has let this page see its account, or opens it for the first time.
  if (isChosen) await wallet.request({ method: 'eth_requestAccounts' })
  wallet.answer(decide)
  wallet.on('chainChanged', (next) => sessionStore.setItem(chainName, next))
  announceWallet(wallet, { name: 'Test wallet', rdns: testWalletId, icon: await toDataUri(walletIcon) })
  takeStored((request) => {
    repeated.add(request.params)
    // A refusal, or what the node refuses, concerns the page that has asked, which is gone.
    void wallet.request(request).catch(() => {})
  })
  const connector = getConnectors(config).find(({ id }) => id === testWalletId)
  if (isChosen && connector && !getConnection(config).isConnected) await connect(config, { connector })
}

export declare namespace startTestWallet {
  /** The nodes, and the chain that the wallet is on at first. */
  type Options = Pick<LocalStack, 'rpcUrls'> & { readonly chainId: number }
}

const repeated = new WeakSet<object>()

/** Answers a prompt as the user does, or as the user has set. */
async function decide(prompt: Prompt): Promise<Decision> {
  const { answer } = useAnswer.getState()
  if (answer !== 'ask') return answer
  const { method, params } = prompt
  const show = () => showPrompt(prompt, { isRepeated: repeated.has(params) })
  // What is to be sent stays asked when the page is reloaded, as in a wallet that is not part of the page.
  return method === 'eth_sendTransaction' ? await whileStored({ method, params }, show) : await show()
}

/** Whether the test wallet is the one that the user has chosen, or the first one. */
async function isConnectedByUser({ storage }: Config): Promise<boolean> {
  const recent = await storage?.getItem('recentConnectorId')
  if (typeof recent === 'string' && recent !== testWalletId) return false
  return (await storage?.getItem(`${testWalletId}.disconnected` as 'injected.disconnected')) !== true
}

/** The chain that the wallet was on before a reload. */
function findChain(rpcUrls: LocalStack['rpcUrls']): number | undefined {
  const stored = Number(sessionStore.getItem(chainName))
  return rpcUrls[stored] === undefined ? undefined : stored
}

/** EIP-6963 has icons as data URIs. */
async function toDataUri(url: string): Promise<string> {
  const text = await (await fetch(url)).text()
  return `data:image/svg+xml,${encodeURIComponent(text)}`
}
