import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { Errors } from '@agio/core'
import { inArray, sql, type SQL, type SQLWrapper } from 'drizzle-orm'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const prefix = 'enc:v1:'

/**
 * Creates the encryption of secrets by master keys: the first key encrypts, and all keys decrypt. An encrypted secret
 * is text: `enc:v1:<id of the key>:<nonce, ciphertext and tag in base64url>`.
 *
 * @param masterKeys 256 bits each, in base64. Without a key, only secrets in plain text can be read
 */
export function createKeyring(masterKeys: readonly string[]) {
  const keys = new Map(masterKeys.map((text) => toEntry(Buffer.from(text, 'base64'))))
  const [keyId] = keys.keys()
  return {
    /** The id of the key that encrypts; undefined without a key. */
    keyId,
    /** The ids of all keys. */
    keyIds: [...keys.keys()],
    /** Encrypts a secret for one place in the database. */
    encrypt(secret: string, cell: Cell): string {
      if (keyId === undefined) throw new Error('Cannot encrypt a secret: the keyring has no key')
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, keys.get(keyId) as Buffer, nonce, { authTagLength: tagBytes })
      cipher.setAAD(toAdditionalData(keyId, cell))
      const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${prefix}${keyId}:${sealed.toString('base64url')}`
    },
    /**
     * Decrypts a secret. Returns a secret in plain text unchanged.
     *
     * @throws `svc/storage-unavailable` that names the id of the master key
     */
    decrypt(stored: string, cell: Cell): string {
      if (!isEncrypted(stored)) return stored
      const [storedKeyId = '', sealed = ''] = stored.slice(prefix.length).split(':')
      const key = keys.get(storedKeyId)
      const name = `${cell.table}.${cell.column} of ${cell.id}`
      const refuse = (reason: string) => Errors.storageUnavailable({ action: `decrypt ${name}`, reason })
      if (!key) throw refuse(`it is encrypted with master key ${storedKeyId}, which this process does not have`)
      try {
        return decryptSealed(Buffer.from(sealed, 'base64url'), key, toAdditionalData(storedKeyId, cell))
      } catch {
        throw refuse(`master key ${storedKeyId} does not authenticate it, so it was changed or moved`)
      }
    },
  }
}

/** The encryption of secrets. */
export type Keyring = ReturnType<typeof createKeyring>

/** The place of a secret in the database. A secret that is moved to another place cannot be decrypted. */
export type Cell = { readonly table: string; readonly column: string; readonly id: string }

/** Returns the place of a secret that signs quotes. */
export function quoteSecretCell(id: string): Cell {
  return { table: 'quote_secrets', column: 'secret', id }
}

/** Returns the place of a secret of a webhook. */
export function webhookCell(id: string, column: 'secret' | 'old_secret'): Cell {
  return { table: 'webhooks', column, id }
}

/** Whether a stored secret is encrypted. */
export function isEncrypted(stored: string): boolean {
  return stored.startsWith(prefix)
}

/** Returns the id of the master key of a column, as SQL; an empty text for a secret in plain text. */
export function keyIdOf(column: SQLWrapper): SQL<string> {
  return sql<string>`case when ${column} like ${`${prefix}%`} then split_part(${column}, ':', 3) else '' end`
}

/** Returns whether a keyring can decrypt a column, as SQL. */
export function isReadable(column: SQLWrapper, { keyIds }: Pick<Keyring, 'keyIds'>): SQL {
  return inArray(keyIdOf(column), ['', ...keyIds])
}

/**
 * Returns the value of a column for a new secret of 256 bits, in base64 after a prefix. Statements appear in logs and
 * errors and must not contain a secret: the statement contains the encrypted secret, or lets the database generate one.
 */
export function drawSecret(secretPrefix: string, { keyring, cell }: Drawing): string | SQL<string> {
  if (keyring.keyId !== undefined) return keyring.encrypt(secretPrefix + randomBytes(32).toString('base64'), cell)
  const drawn = sql`concat(gen_random_uuid(), gen_random_uuid(), gen_random_uuid())`
  return sql`${secretPrefix}::text || encode(sha256(convert_to(${drawn}, 'UTF8')), 'base64')`
}

type Drawing = { readonly keyring: Keyring; readonly cell: Cell }

// The first 32 bits of its SHA-256 identify a random key, and reveal nothing of it.
function toEntry(key: Buffer): readonly [string, Buffer] {
  return [createHash('sha256').update(key).digest('hex').slice(0, 8), key]
}

function toAdditionalData(keyId: string, { table, column, id }: Cell): Buffer {
  return Buffer.from(JSON.stringify([prefix, keyId, table, column, id]))
}

function decryptSealed(sealed: Buffer, key: Buffer, additionalData: Buffer): string {
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(additionalData)
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  const ciphertext = sealed.subarray(nonceBytes, -tagBytes)
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8')
}
