// The rules of the parts come first, so that the rules of a feature win over them.
import './ui/ui.module.css'
import { AgioProvider } from '@agio/react/internal'
import { createRoot } from 'react-dom/client'
import { agioOptions } from './service/agio.ts'
import { useNetwork } from './settings/network.ts'
import { settings } from './settings/settings.ts'
import { App } from './shell/App.tsx'
import { applyStoredTheme } from './shell/Header.tsx'
import { wagmiConfig } from './wallet/wagmi.ts'
import './styles/base.css'

applyStoredTheme()
// Browsers request the icon again after each change of the path, to which its URL would be relative.
const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
icon?.setAttribute('href', icon.href)
// The page works without the test wallet. Its chunk imports the chunk of this module, so this module must not await it.
void connectTestWallet()
  .catch(() => {})
  .then(render)

function render(): void {
  const root = document.querySelector('#root')
  if (!root) throw new Error('Cannot show the console: its document has no #root')
  createRoot(root).render(
    <AgioProvider {...agioOptions}>
      <App />
    </AgioProvider>,
  )
}

async function connectTestWallet(): Promise<void> {
  if (!settings.local) return
  const { startTestWallet } = await import('./wallet/testWallet/testWallet.ts')
  const { chainId } = useNetwork.getState().network
  await startTestWallet(wagmiConfig, { rpcUrls: settings.local.rpcUrls, chainId })
}
