import { type KeyboardEvent, useId, useState } from 'react'
import { useLocation } from 'wouter'
import { useSettings } from '../settings/console.ts'
import { useNetwork } from '../settings/network.ts'
import { classes } from '../ui/classes.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { parseHash } from '../ui/Address.tsx'
import { areas } from './pages.ts'
import styles from './shell.module.css'

type Command = { readonly name: string; readonly group: string; readonly run: () => void }

/** A dialog that finds pages, requests and transactions, and switches the network and the theme. */
export function CommandMenu({ onClose, showNextTheme }: CommandMenu.Props) {
  const id = useId()
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const commands = useCommands(text.trim(), showNextTheme)
  const index = Math.min(active, commands.length - 1)
  const choose = (command: Command | undefined) => {
    if (!command) return
    onClose()
    command.run()
  }
  const move = (event: KeyboardEvent) => {
    const moved = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key]
    if (event.key === 'Enter') choose(commands[index])
    else if (moved !== undefined && commands.length > 0) setActive((moved + commands.length) % commands.length)
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Search" onClose={onClose}>
      <input
        data-autofocus
        role="combobox"
        aria-label="Page, request id or transaction"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={index < 0 ? undefined : `${id}-${index}`}
        autoComplete="off"
        spellCheck={false}
        placeholder="Page, request id or transaction hash"
        className={styles['query']}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setActive(0)
        }}
        onKeyDown={move}
      />
      {/* eslint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select has no place below a field */}
      <div id={`${id}-list`} role="listbox" aria-label="Results" className={styles['results']}>
        {/* eslint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus, jsx-a11y/prefer-tag-over-role -- the field keeps the focus and handles the keys */}
        {commands.map((command, position) => (
          <div
            key={`${command.group} ${command.name}`}
            id={`${id}-${position}`}
            role="option"
            aria-selected={position === index}
            className={classes(styles['result'], position === index && styles['active'])}
            ref={(element) => {
              if (position === index) element?.scrollIntoView({ block: 'nearest' })
            }}
            onPointerMove={() => setActive(position)}
            onClick={() => choose(command)}
          >
            {command.name} <span>{command.group}</span>
          </div>
        ))}
      </div>
      <output className="note">{commands.length === 0 ? 'Nothing found' : 'Arrow keys choose, Enter opens'}</output>
    </Dialog>
  )
}

export declare namespace CommandMenu {
  type Props = { readonly onClose: () => void; readonly showNextTheme: () => void }
}

/** Lists the commands that match a text. A hash or an id comes first. */
function useCommands(text: string, showNextTheme: () => void): readonly Command[] {
  const { servicePath, networks } = useSettings()
  const [, navigate] = useLocation()
  const { setChainId } = useNetwork()
  const open = (url: string) => () => window.location.assign(`${servicePath}${url}`)
  const fixed: readonly Command[] = [
    ...areas.flatMap(({ title: group, pages }) =>
      pages.map(({ path, title: name }) => ({ name, group, run: () => navigate(path) })),
    ),
    ...networks.map(({ chainId, name }) => ({ name, group: 'Network', run: () => setChainId(chainId) })),
    { name: 'Next theme', group: 'Appearance', run: showNextTheme },
    { name: 'Guides', group: 'Documentation', run: open('/docs') },
    { name: 'API reference', group: 'Documentation', run: open('/docs/api') },
    { name: 'Error codes', group: 'Documentation', run: open('/docs/errors') },
  ]
  const words = text.toLowerCase().split(/\s+/)
  const isMatch = ({ name, group }: Command) => words.every((word) => `${name} ${group}`.toLowerCase().includes(word))
  return [...listDirect(text, { navigate, open }), ...fixed.filter(isMatch)]
}

type Opening = {
  readonly navigate: (path: string) => void
  /** Returns a function that opens a page of the service. */
  readonly open: (url: string) => () => void
}

function listDirect(text: string, { navigate, open }: Opening): readonly Command[] {
  const hash = parseHash(text)
  const code = /^svc\/([a-z-]+)$/.exec(text)?.[1]
  const isId = hash === undefined && /^[\w-]{16,64}$/.test(text)
  const requests = `/build/requests?find=${encodeURIComponent(text)}`
  return [
    ...(hash === undefined
      ? []
      : [
          { name: 'Receipt of this transaction', group: 'Convert', run: () => navigate(`/receipt/${hash}`) },
          { name: 'Requests with this transaction', group: 'Build', run: () => navigate(requests) },
        ]),
    ...(isId ? [{ name: 'Request with this id', group: 'Build', run: () => navigate(requests) }] : []),
    ...(code === undefined
      ? []
      : [
          {
            name: `What ${text} means`,
            group: 'Documentation',
            run: open(`/docs/errors#${code}`),
          },
          { name: `Requests that failed with ${text}`, group: 'Build', run: () => navigate(requests) },
        ]),
  ]
}
