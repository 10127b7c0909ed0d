#!/usr/bin/env node
import process from 'node:process'
import manifest from '../package.json' with { type: 'json' }

const args = process.argv.slice(2)

// The service runs for long, and needs neither the parser nor the modules of the other commands, which take ten megabytes.
if (args.join(' ') === 'serve') await (await import('@agio/localnet/commands')).serveOnNode()
else if (args.join(' ') === '--version') console.log(manifest.version)
else await (await import('./commands/run.ts')).run(args)
