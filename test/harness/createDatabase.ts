import { Client, type QueryResultRow } from 'pg'
import { postgresUrl } from './findServices.ts'

/**
 * Creates an empty database with a random name, and drops it on disposal, even with open connections.
 *
 * @param serverUrl a database on the server that holds the new one
 */
export async function createDatabase(serverUrl = postgresUrl) {
  const name = `agio_test_${crypto.randomUUID().replaceAll('-', '')}`
  await run(serverUrl, `create database ${name}`)
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  return {
    name,
    url,
    /** Runs SQL on a separate connection. */
    query: <Row extends QueryResultRow>(text: string, values?: readonly unknown[]) => run<Row>(url, text, values),
    [Symbol.asyncDispose]: async () => void (await run(serverUrl, `drop database if exists ${name} with (force)`)),
  }
}

export type TestDatabase = Awaited<ReturnType<typeof createDatabase>>

async function run<Row extends QueryResultRow>(
  connectionString: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query<Row>(text, [...values])
    return rows
  } finally {
    await client.end()
  }
}
