import { useAgio } from '@agio/react/internal'
import { useEffect, useRef, useState } from 'react'
import { useConnection } from 'wagmi'
import { Link, useLocation } from 'wouter'
import { Button } from '../../ui/Button.tsx'
import { CheckIcon, CloseIcon, WaitIcon } from '../../ui/icons.tsx'
import { useWallet } from '../../wallet/useWallet.ts'
import { announce, type News, toNews } from './toNews.ts'
import styles from './conversions.module.css'
import { type PageConversion, toCardId, useConversions } from './conversions.ts'

/**
 * Follows the conversions on every page: screen readers hear each event, and a toast shows what no visible card shows.
 */
export function ConversionNews() {
  const conversions = useConversions((state) => state.conversions)
  const { toasts, dismiss } = useToasts(conversions)
  useFollowStored()
  return (
    <>
      <output className="visually-hidden">{announce(conversions)}</output>
      {toasts.length > 0 && (
        <section aria-label="Notifications" className={styles['toasts']}>
          {toasts.map(({ id, news }) => (
            <Toast key={`${id} ${news.kind}`} news={news} onDismiss={() => dismiss(id)} />
          ))}
        </section>
      )}
    </>
  )
}

// A failure stays until it is dismissed.
const shownMs = 10_000

function Toast({ news: { kind, title, text, href }, onDismiss }: ToastProps) {
  const [isHeld, setIsHeld] = useState(false)
  const dismiss = useRef(onDismiss)
  useEffect(() => {
    if (isHeld || kind === 'failed') return undefined
    const timer = setTimeout(() => dismiss.current(), shownMs)
    return () => clearTimeout(timer)
  }, [isHeld, kind])
  const hold = () => setIsHeld(true)
  const release = () => setIsHeld(false)
  return (
    <div className={styles['toast']} onPointerEnter={hold} onPointerLeave={release} onFocus={hold} onBlur={release}>
      <span className={styles['toastIcon']} data-kind={kind}>
        {icons[kind]}
      </span>
      <div>
        <p className={styles['toastTitle']}>{title}</p>
        <p className="note">
          {text} · <Link href={href}>{kind === 'failed' ? 'Show' : 'Receipt'}</Link>
        </p>
      </div>
      <Button
        variant="quiet"
        size="small"
        aria-label="Dismiss the notification"
        icon={<CloseIcon />}
        onClick={onDismiss}
      />
    </div>
  )
}

type ToastProps = { readonly news: News; readonly onDismiss: () => void }

const icons = { sent: <WaitIcon />, confirmed: <CheckIcon />, failed: <CloseIcon /> } as const

type ShownNews = { readonly id: string; readonly news: News }

/** Returns the newest news of each conversion, without what its card on the page shows. */
function useToasts(conversions: readonly PageConversion[]) {
  const [toasts, setToasts] = useState<readonly ShownNews[]>([])
  const [path] = useLocation()
  const seen = useRef<ReadonlyMap<string, string | undefined>>(undefined)
  const dismiss = (id: string) => setToasts((shown) => shown.filter((toast) => toast.id !== id))
  useEffect(() => {
    const news = conversions.map((conversion) => ({ id: conversion.id, news: toNews(conversion) }))
    const before = seen.current
    seen.current = new Map(news.map((each) => [each.id, each.news?.kind]))
    if (!before) return
    const changed = news.filter((each) => before.get(each.id) !== each.news?.kind)
    const gone = [...before.keys()].filter((id) => !seen.current?.has(id))
    if (changed.length + gone.length === 0) return
    const added = changed.flatMap(({ id, news: newest }) => (newest && !isInView(id) ? [{ id, news: newest }] : []))
    const ids = new Set([...changed.map(({ id }) => id), ...gone])
    setToasts((shown) => [...shown.filter(({ id }) => !ids.has(id)), ...added])
  }, [conversions])
  const [shownPath, setShownPath] = useState(path)
  if (path !== shownPath) {
    setShownPath(path)
    // The page of the conversions shows them all.
    if (path === '/') setToasts([])
  }
  return { toasts, dismiss }
}

/** Returns whether the card of a conversion is in the window. */
function isInView(id: string): boolean {
  const box = document.getElementById(toCardId(id))?.getBoundingClientRect()
  return box !== undefined && box.height > 0 && box.top < innerHeight && box.bottom > 0
}

/**
 * Follows the stored conversions once the page knows whether a wallet is connected. Selecting another account later starts
 * nothing.
 */
function useFollowStored(): void {
  const wallet = useWallet()
  const { conversions } = useAgio()
  const { status } = useConnection()
  const hasFollowed = useRef(false)
  const isKnown = status === 'connected' || status === 'disconnected'
  useEffect(() => {
    if (!isKnown || hasFollowed.current) return
    hasFollowed.current = true
    conversions.follow(wallet)
  }, [isKnown, conversions, wallet])
}
