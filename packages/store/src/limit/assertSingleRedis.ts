import { connect } from 'node:net'
import { createClient } from '@redis/client'
import { withTimeout } from '../response/withTimeout.ts'

const timeoutMs = 1000

/**
 * Asserts that a URL names a Redis that can share limits. A Redis that does not answer is accepted, because a service starts
 * without Redis.
 *
 * @throws `Error` if the server is a node of a cluster, or if it does not use TLS although the URL begins with `rediss://`
 */
export async function assertSingleRedis(url: string): Promise<void> {
  const mode = await readMode(url).catch(() => undefined)
  if (mode === 'cluster') {
    throw new Error(
      'Cannot share limits: REDIS_URL is a Redis Cluster, which is not supported. Use a single Redis, with or without replicas',
    )
  }
  if (mode === undefined && (await isPlain(url))) {
    throw new Error(
      'Cannot share limits: REDIS_URL begins with rediss://, but the server does not use TLS. Use redis://, or turn on TLS at the server',
    )
  }
}

/** Returns `standalone`, `sentinel` or `cluster`. */
async function readMode(url: string): Promise<string | undefined> {
  const client = createClient({ url, socket: { connectTimeout: timeoutMs, reconnectStrategy: false } })
  client.on('error', () => {})
  try {
    await withTimeout(client.connect(), timeoutMs)
    // Every user may send HELLO, unlike INFO.
    const fields = await withTimeout(client.sendCommand<readonly unknown[]>(['HELLO', '2']), timeoutMs)
    return String(fields[fields.indexOf('mode') + 1])
  } finally {
    client.destroy()
  }
}

/** Returns whether the server of a `rediss://` URL answers without TLS. Sends no credentials. */
async function isPlain(url: string): Promise<boolean> {
  const { protocol, hostname, port } = new URL(url)
  if (protocol !== 'rediss:') return false
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 6379) })
  try {
    const answer = new Promise<string>((resolve, reject) => {
      socket.once('error', reject).once('data', (bytes) => resolve(bytes.toString('latin1')))
    })
    socket.write('PING\r\n')
    return /^[+-]/.test(await withTimeout(answer, timeoutMs).catch(() => ''))
  } finally {
    socket.destroy()
  }
}
