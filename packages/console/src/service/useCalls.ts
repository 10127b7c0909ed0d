import { defineStore } from '../settings/console.ts'
import { createCalls } from './calls.ts'

/** The store of the calls of the page. */
export const useCalls = defineStore(createCalls)
