#!/usr/bin/env node
import process from 'node:process'
import { run } from './commands/run.ts'

await run(process.argv.slice(2))
