import { createAgio, type Agio, type AgioOptions, type PinnedContracts } from '@agio/sdk'
import { createContext, useContext, useMemo, useState, type ReactNode } from 'react'
import { Conversions } from '../conversion/Conversions.ts'
import { createLocalStepStore, type StepStore } from '../conversion/storedSteps.ts'
import type { Clock } from '../poll/Poll.ts'
import { Polls } from '../poll/Polls.ts'
import { createRunAlone, type Locks } from '../tabs/runAlone.ts'
import { defaultTexts, type Texts } from '../texts/texts.ts'

/**
 * Gives the hooks below it a client, and owns the conversions that they start. Nothing is read or requested before a
 * component needs it, so it renders on a server. Its options are read once: give it another `key` to change them. Two providers
 * on one page are independent.
 *
 * @throws TypeError without `contracts`, and for options that `createAgio` refuses
 *
 * @example
 * <AgioProvider url="/agio" contracts={{ 84532: { router, factory } }}>
 *   <App />
 * </AgioProvider>
 */
export function AgioProvider({ children, texts, ...options }: AgioProvider.Props) {
  const [parts] = useState(() => createParts(options))
  const context = useMemo(() => ({ ...parts, texts: { ...defaultTexts, ...texts } }), [parts, texts])
  return <Context.Provider value={context}>{children}</Context.Provider>
}

export declare namespace AgioProvider {
  type Options = Omit<AgioOptions, 'contracts'> & {
    /**
     * The contracts that conversions may call and approve, by chain id, or `service` to trust the service: see `contracts` of
     * `createAgio`.
     */
    readonly contracts: PinnedContracts | 'service'
    /** Separates the stored conversions of two providers on one page. */
    readonly name?: string | undefined
    /** Where steps are stored. Default: the local storage. */
    readonly store?: StepStore | undefined
    /** The locks among tabs. Default: the locks of the browser. */
    readonly locks?: Locks | undefined
    /** The clock of the page. Default: `Date`. */
    readonly clock?: Clock | undefined
  }
  type Props = Options & {
    /** Replaces texts, for example with those of another language. */
    readonly texts?: Partial<Texts> | undefined
    readonly children?: ReactNode
  }
}

/** What a provider gives to the hooks below it. */
export type AgioContext = {
  /** The client, for everything that has no hook. */
  readonly agio: Agio
  /** The client of the hooks. It does not retry, because they read again: they show an error at once. */
  readonly reader: Agio
  readonly nodes: AgioOptions['nodes']
  readonly clock: Clock
  readonly texts: Texts
  readonly conversions: Conversions
  readonly polls: Polls
}

/**
 * Returns the client and the other parts of the provider above.
 *
 * @throws `Error` without a provider
 *
 * @example
 * const { agio } = useAgio()
 */
export function useAgio(): AgioContext {
  const context = useContext(Context)
  if (!context) throw new Error('Wrap the component in <AgioProvider>: the hooks of @agio/react need it')
  return context
}

const Context = createContext<AgioContext | undefined>(undefined)

function createParts({
  name,
  store,
  locks,
  clock = browserClock,
  ...options
}: AgioProvider.Options): Omit<AgioContext, 'texts'> {
  if ((options.contracts as unknown) === undefined) {
    throw new TypeError('Pass contracts to AgioProvider: the contracts that you trust by chain id, or "service"')
  }
  const agio = createAgio(options)
  const reader = createAgio({ ...options, maxRetries: 0 })
  const { nodes } = options
  const runAlone = createRunAlone(locks && (() => locks))
  const conversions = new Conversions({ agio, store: store ?? createLocalStepStore(name), runAlone })
  return { agio, reader, nodes, clock, conversions, polls: new Polls(clock) }
}

const browserClock: Clock = { now: () => Date.now() }
