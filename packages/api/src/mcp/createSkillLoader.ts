import { memorySkillFiles, SkillsExtension, type SkillCatalog } from '@modelcontextprotocol/server/ext/skills'
import type { DocsSource } from '../settings/DocsSource.ts'

// They change with a release only.
const cacheHint = { ttlMs: 300_000, cacheScope: 'public' } as const

const folder = 'skills/'

/** Creates a function that returns the skills of the documentation. The first call reads them; a call that failed is repeated. */
export function createSkillLoader(docs: DocsSource): () => Promise<SkillCatalog> {
  let loaded: Promise<SkillCatalog> | undefined
  return async () => {
    loaded ??= loadSkills(docs)
    try {
      return await loaded
    } catch (error) {
      loaded = undefined
      throw error
    }
  }
}

async function loadSkills(docs: DocsSource): Promise<SkillCatalog> {
  const paths = (await docs.listFiles()).filter((path) => path.startsWith(folder))
  const files = await Promise.all(paths.map(async (path) => [path.slice(folder.length), await docs.readFile(path)]))
  return await SkillsExtension.load(memorySkillFiles(Object.fromEntries(files)), { cacheHint })
}
