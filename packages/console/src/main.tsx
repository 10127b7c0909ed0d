// The rules of the parts come first, so that the rules of a feature win over them.
import './ui/ui.module.css'
import { createRoot } from 'react-dom/client'
import { createConsole } from './createConsole.ts'
import { App } from './shell/App.tsx'
import { applyStoredTheme } from './shell/Header.tsx'
import './styles/base.css'

const console = createConsole(window)
applyStoredTheme(console)
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
  createRoot(root).render(<App console={console} />)
}

async function connectTestWallet(): Promise<void> {
  const { local } = console.settings
  if (!local) return
  const { startTestWallet } = await import('./wallet/testWallet/testWallet.ts')
  await startTestWallet(console, local)
}
