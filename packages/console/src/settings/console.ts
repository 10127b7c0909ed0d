import type { AgioProvider } from '@agio/react/internal'
import type { QueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import type { Config } from 'wagmi'
import { useStore, type StoreApi } from 'zustand'
import type { BrowserStorage } from '../storage/browserStorage.ts'
import type { Settings } from './settings.ts'

/** What the stores of a console read. */
export type Environment = {
  readonly settings: Settings
  /** The query of the URL with which the page was opened. */
  readonly search: string
  readonly localStore: BrowserStorage
  readonly sessionStore: BrowserStorage
  /** The stores by their definitions. `defineStore` fills it. */
  readonly stores: Map<unknown, StoreApi<unknown>>
}

/** Everything that lives as long as the page. `createConsole` creates it. */
export type Console = Environment & {
  /** The options of the provider of `@agio/react`. */
  readonly agioOptions: AgioProvider.Options
  readonly queryClient: QueryClient
  readonly wagmiConfig: Config
}

const Context = createContext<Console | undefined>(undefined)

/** Gives a console to the hooks below it. */
export const ConsoleProvider = Context.Provider

/** Returns the console of the page. */
export function useConsole(): Console {
  const console = useContext(Context)
  if (!console) throw new Error('Wrap the component in <ConsoleProvider>')
  return console
}

/** Returns the settings from the service. */
export function useSettings(): Settings {
  return useConsole().settings
}

/**
 * Defines a store and returns its hook. Each console has its own store, which is created when it is first used: no module
 * reads a storage when it is imported. `of` returns the store of a console.
 */
export function defineStore<State>(create: (environment: Environment) => StoreApi<State>): StoreHook<State> {
  const of = (environment: Environment): StoreApi<State> => {
    const store = (environment.stores.get(create) as StoreApi<State> | undefined) ?? create(environment)
    environment.stores.set(create, store)
    return store
  }
  const useDefined = <Part>(select?: (state: State) => Part) =>
    // eslint-disable-next-line react-hooks/rules-of-hooks -- A hook, which `of` is attached to.
    useStore(of(useConsole()), select ?? ((state) => state as unknown as Part))
  return Object.assign(useDefined, { of }) as StoreHook<State>
}

type StoreHook<State> = {
  (): State
  <Part>(select: (state: State) => Part): Part
  of(environment: Environment): StoreApi<State>
}
