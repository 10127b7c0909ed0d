import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { createClient } from '@redis/client'
import { withTimeout } from '../response/withTimeout.ts'

const timeoutMs = 1000

/**
 * Asserts that a URL names a Redis that can share limits. A Redis that does not answer is accepted, because a service starts
 * without Redis.
 *
 * @throws `Error` if the server is a Sentinel or a node of a cluster, or if only one of the server and the URL uses TLS
 */
export async function assertSingleRedis(url: string): Promise<void> {
  const mode = await readMode(url).catch(() => undefined)
  if (mode === 'cluster') {
    throw new Error(
      'Cannot share limits: REDIS_URL is a Redis Cluster, which is not supported. Use a single Redis, with or without replicas',
    )
  }
  if (mode === 'sentinel') {
    throw new Error(
      'Cannot share limits: REDIS_URL is a Sentinel, which stores no counts. Use the address of the master, or of a proxy that follows it',
    )
  }
  if (mode !== undefined) return
  const isSecure = url.startsWith('rediss:')
  if (isSecure && (await isPlain(url))) {
    throw new Error(
      'Cannot share limits: REDIS_URL begins with rediss://, but the server does not use TLS. Use redis://, or turn on TLS at the server',
    )
  }
  if (!isSecure && (await usesTls(url))) {
    throw new Error('Cannot share limits: REDIS_URL begins with redis://, but the server uses TLS. Use rediss://')
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

/** Returns whether the server answers without TLS. Sends no credentials. */
async function isPlain(url: string): Promise<boolean> {
  const socket = connect(toAddress(url))
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

/** Returns whether the server completes a TLS handshake, with any certificate. Sends no credentials. */
async function usesTls(url: string): Promise<boolean> {
  const socket = connectTls({ ...toAddress(url), rejectUnauthorized: false })
  try {
    const secured = new Promise((resolve, reject) => socket.once('error', reject).once('secureConnect', resolve))
    await withTimeout(secured, timeoutMs)
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

function toAddress(url: string) {
  const { hostname, port } = new URL(url)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 6379) }
}
