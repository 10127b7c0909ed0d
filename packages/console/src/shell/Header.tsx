import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { createStore } from 'zustand'
import { defineStore, type Environment, useSettings } from '../settings/console.ts'
import { trpc } from '../service/trpc.ts'
import { useSession } from '../session/session.ts'
import { useNetwork } from '../settings/network.ts'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { MenuIcon, SearchIcon, ThemeIcon } from '../ui/icons.tsx'
import { WalletButton } from '../wallet/WalletButton.tsx'
import { type Area, areas, findPage } from './pages.ts'
import styles from './shell.module.css'

const CommandMenu = lazy(async () => ({ default: (await import('./CommandMenu.tsx')).CommandMenu }))

/** The header: areas, search, network, theme and wallet, with the pages of the area below. On a narrow page, the areas are in a menu. */
export function Header() {
  const [isOpen, setIsOpen] = useState(false)
  const [path] = useLocation()
  const [shownPath, setShownPath] = useState(path)
  if (path !== shownPath) {
    setShownPath(path)
    setIsOpen(false)
  }
  const listed = useAreas()
  return (
    <>
      <header className={classes('header', styles['header'])}>
        <div className={styles['bar']}>
          <Link href="/" className={classes('brand', styles['brand'])}>
            Agio
          </Link>
          <div id="menu" className={classes(styles['menu'], isOpen && styles['open'])}>
            <AreaLinks areas={listed} />
            <Search />
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
      <PageLinks areas={listed} />
    </>
  )
}

/**
 * Returns the areas and pages that the keys of the page may use. The page reads its key only where it needs it, so pages stay
 * listed until then. Operators enter their key on a page of "Operate", which the search finds.
 */
function useAreas(): readonly Area[] {
  const settings = useSettings()
  const [path] = useLocation()
  const isOperator = useSession(({ adminKey }) => adminKey !== '') || settings.local !== undefined
  const { data: key } = useQuery({ ...trpc.keys.self.queryOptions(), enabled: false })
  const current = findPage(path).area
  return areas
    .filter((area) => area.path !== '/operate' || isOperator || area === current)
    .map((area) => ({
      ...area,
      pages: area.pages.filter(({ scope }) => !scope || !key || key.scopes.includes(scope)),
    }))
}

type AreasProps = { readonly areas: readonly Area[] }

function AreaLinks({ areas: listed }: AreasProps) {
  const [path] = useLocation()
  const current = findPage(path).area
  return (
    <nav aria-label="Areas" className={classes('links', styles['areas'])}>
      {listed.map((area) => (
        <Link
          key={area.path}
          href={area.pages[0]?.path ?? area.path}
          aria-current={area.path === current?.path ? 'true' : undefined}
        >
          {area.title}
        </Link>
      ))}
    </nav>
  )
}

function PageLinks({ areas: listed }: AreasProps) {
  const [path] = useLocation()
  const { area, page } = findPage(path)
  const { title, pages } = listed.find((each) => each.path === area?.path) ?? areas[0] ?? { title: '', pages: [] }
  return (
    <nav aria-label={`Pages of ${title}`} className={styles['pages']}>
      <div className={classes('links', styles['pageList'])}>
        {pages.map((each) => (
          <Link
            key={each.path}
            href={each.path}
            className="tab"
            aria-current={each.path === page?.path ? 'page' : undefined}
          >
            {each.title}
          </Link>
        ))}
      </div>
    </nav>
  )
}

/** The button of the search, which Ctrl-K and Cmd-K open too. The search is loaded when it first opens. */
function Search() {
  const [isOpen, setIsOpen] = useState(false)
  const { showNext } = useTheme()
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      // Another dialog keeps the focus.
      if (!document.querySelector('dialog[open]')) setIsOpen(true)
    }
    window.addEventListener('keydown', open)
    return () => window.removeEventListener('keydown', open)
  }, [])
  return (
    <>
      <Button
        size="small"
        className={styles['search']}
        aria-keyshortcuts="Control+K Meta+K"
        icon={<SearchIcon />}
        onClick={() => setIsOpen(true)}
      >
        <span>Search</span> <kbd>Ctrl K</kbd>
      </Button>
      <Suspense>{isOpen && <CommandMenu onClose={() => setIsOpen(false)} showNextTheme={showNext} />}</Suspense>
    </>
  )
}

function NetworkSelect() {
  const settings = useSettings()
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

const themeName = 'agio.theme'
const themes = ['system', 'light', 'dark'] as const

/** The name of a theme. */
type Theme = (typeof themes)[number]

/** The store of the colour theme. Default: the theme of the system. */
const useTheme = defineStore(({ localStore }) =>
  createStore<{ readonly theme: Theme; showNext(): void }>((set, get) => ({
    theme: readStoredTheme(localStore),
    showNext() {
      const theme = themes[(themes.indexOf(get().theme) + 1) % themes.length] ?? 'system'
      localStore.setItem(themeName, theme)
      set({ theme })
      applyTheme(theme)
    },
  })),
)

/** Applies the stored theme. Call it once before the first drawing. */
export function applyStoredTheme({ localStore }: Environment): void {
  applyTheme(readStoredTheme(localStore))
}

function readStoredTheme(localStore: Environment['localStore']): Theme {
  const stored = localStore.getItem(themeName)
  return themes.find((theme) => theme === stored) ?? 'system'
}

function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
}
