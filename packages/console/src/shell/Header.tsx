import { Link, useLocation } from 'wouter'
import { useNetwork } from '../settings/network.ts'
import { settings } from '../settings/settings.ts'
import { Button } from '../ui/Button.tsx'
import { ThemeIcon } from '../ui/icons.tsx'
import { WalletButton } from '../wallet/WalletButton.tsx'
import styles from './Header.module.css'
import { pages } from './pages.ts'
import { useTheme } from './theme.ts'

/** The header: navigation, network, theme and wallet. */
export function Header() {
  return (
    <header className={styles['header']}>
      <div className={styles['bar']}>
        <Link href="/" className={styles['brand']}>
          Agio
        </Link>
        <Navigation />
        <div className={styles['tools']}>
          <NetworkSelect />
          <ThemeButton />
          <WalletButton />
        </div>
      </div>
    </header>
  )
}

function Navigation() {
  const [path] = useLocation()
  const current = pages.findLast((page) => path.startsWith(page.path))
  return (
    <nav aria-label="Pages" className={styles['navigation']}>
      {pages.map((page) => (
        <Link key={page.path} href={page.path} aria-current={page === current ? 'page' : undefined}>
          {page.title}
        </Link>
      ))}
    </nav>
  )
}

function NetworkSelect() {
  const { network, setChainId } = useNetwork()
  return (
    <select
      aria-label="Network"
      className={styles['network']}
      value={network.chainId}
      onChange={({ target }) => setChainId(Number(target.value))}
    >
      {settings.networks.map(({ chainId, name }) => (
        <option key={chainId} value={chainId}>
          {name}
        </option>
      ))}
    </select>
  )
}

function ThemeButton() {
  const { theme, showNext } = useTheme()
  const label = `Theme: ${theme}`
  return (
    <Button variant="quiet" size="small" aria-label={label} title={label} icon={<ThemeIcon />} onClick={showNext} />
  )
}
