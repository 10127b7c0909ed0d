import type { Setting, SettingsTable } from './defineSettings.ts'

const lineLength = 100

/** Formats a table of settings for `--help`, in lines of at most 100 characters. */
export function formatHelp(table: SettingsTable): string {
  const settings = Object.values(table)
  const indent = Math.max(...settings.map((setting) => setting.env.length)) + 4
  const rows = settings.map((setting) => {
    const [first = '', ...more] = wrap(toSentences(setting), lineLength - indent)
    return [`  ${setting.env.padEnd(indent - 2)}${first}`, ...more.map((line) => ' '.repeat(indent) + line)]
  })
  const files = settings.filter(({ secret }) => secret)
  const note = files.length === 0 ? [] : ['', ...wrap(toFileNote(files), lineLength)]
  return [...rows.flat(), ...note].join('\n')
}

/** Formats a table of settings as Markdown, with a section for each group. */
export function formatMarkdown(table: SettingsTable): string {
  const groups = Map.groupBy(Object.values(table), ({ group }) => group)
  const sections = Array.from(groups, ([group, settings]) => {
    const rows = settings.map(
      (setting) =>
        `| \`${setting.env}\` | ${setting.help.replaceAll('<', '\\<')} | ${toDefault(setting, '`') ?? ''} | ${setting.secret ? 'yes' : ''} |`,
    )
    const title = group.replace(/^./, (letter) => letter.toUpperCase())
    return `## ${title}\n\n| Variable | Meaning | Default | File |\n| --- | --- | --- | --- |\n${rows.join('\n')}`
  })
  return sections.join('\n\n')
}

function toSentences(setting: Setting): string {
  const fallback = toDefault(setting)
  return fallback === undefined ? setting.help : `${setting.help}. Default: ${fallback}`
}

function toDefault({ default: value, defaultText }: Setting, quote = ''): string | undefined {
  if (defaultText !== undefined) return defaultText
  return value === undefined ? undefined : `${quote}${[value].flat().join(',')}${quote}`
}

function toFileNote([first, ...rest]: readonly Setting[]): string {
  const note = rest.length === 0 ? '' : `. The same holds for ${rest.map(({ env }) => env).join(', ')}`
  return `${first?.env}_FILE may name a file that holds the value of ${first?.env}${note}`
}

function wrap(text: string, length: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line === undefined || line.length + 1 + word.length > length) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines
}
