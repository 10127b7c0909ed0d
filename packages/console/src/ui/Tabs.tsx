import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import styles from './ui.module.css'

/** Tabs with their content. The mouse, the arrow keys, Home and End select a tab. */
export function Tabs({ label, tabs, selectedId, onSelect }: Tabs.Props) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const index = Math.max(
    0,
    tabs.findIndex((tab) => tab.id === selectedId),
  )
  const select = (event: KeyboardEvent) => {
    const moved = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[event.key]
    const tab = moved === undefined ? undefined : tabs.at(moved % tabs.length)
    if (!tab) return
    event.preventDefault()
    onSelect(tab.id)
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.id}"]`)?.focus()
  }
  return (
    <div className={styles['tabs']}>
      <div ref={list} role="tablist" aria-label={label} className={styles['list']}>
        {tabs.map((tab, position) => (
          <button
            key={tab.id}
            id={`${id}-${tab.id}`}
            type="button"
            role="tab"
            data-tab={tab.id}
            aria-selected={position === index}
            aria-controls={`${id}-panel`}
            tabIndex={position === index ? 0 : -1}
            className={styles['tab']}
            onClick={() => onSelect(tab.id)}
            onKeyDown={select}
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${tabs[index]?.id}`}
        className={styles['tabsPanel']}
      >
        {tabs[index]?.content}
      </div>
    </div>
  )
}

export declare namespace Tabs {
  type Props = {
    /** Accessible name of the tabs. */
    readonly label: string
    readonly tabs: readonly Tab[]
    readonly selectedId: string
    readonly onSelect: (id: string) => void
  }
  type Tab = { readonly id: string; readonly title: string; readonly content: ReactNode }
}
