// Writes docs/operate/settings.md from the table of settings. Run by `pnpm generate`.
import { writeFile } from 'node:fs/promises'
import { formatMarkdown } from '../src/settings/formatSettings.ts'
import { serviceSettings } from '../src/settings/serviceSettings.ts'

const page = `<!-- Generated from packages/server/src/settings/serviceSettings.ts by \`pnpm generate\`. Do not edit. -->

# Settings

\`pnpm serve\` and \`pnpm serve:deno\` read these environment variables. An empty variable counts as absent. Times that end in
\`_MS\` are milliseconds. For a variable with "yes" under File, the variable with \`_FILE\` at its end may instead name a file that
holds the value, for example \`REDIS_URL_FILE=/run/secrets/redis\`. Setting both is an error. [Deploy](deploy.md#settings) names the
variables that most deployments set.

${formatMarkdown(serviceSettings)}
`

await writeFile(new URL('../../../docs/operate/settings.md', import.meta.url), page)
