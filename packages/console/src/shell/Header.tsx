import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useNetwork } from '../settings/network.ts'
import { settings } from '../settings/settings.ts'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { MenuIcon, ThemeIcon } from '../ui/icons.tsx'
import { WalletButton } from '../wallet/WalletButton.tsx'
import styles from './Header.module.css'
import { pages } from './pages.ts'
import { useTheme } from './theme.ts'

/** The header: navigation, network, theme and wallet. On a narrow page, all but the wallet are in a menu. */
export function Header() {
  const [isOpen, setIsOpen] = useState(false)
  const [path] = useLocation()
  const [shownPath, setShownPath] = useState(path)
  if (path !== shownPath) {
    setShownPath(path)
    setIsOpen(false)
  }
  return (
    <header className={styles['header']}>
      <div className={styles['bar']}>
        <Link href="/" className={styles['brand']}>
          Agio
        </Link>
        <div id="menu" className={classes(styles['menu'], isOpen && styles['open'])}>
          <Navigation />
          <NetworkSelect />
          <ThemeButton />
        </div>
        <WalletButton />
        <Button
          variant="quiet"
          size="small"
          className={styles['toggle']}
          aria-label="Menu"
          aria-expanded={isOpen}
          aria-controls="menu"
          icon={<MenuIcon />}
          onClick={() => setIsOpen(!isOpen)}
        />
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
