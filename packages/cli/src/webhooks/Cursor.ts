import { CommandError } from '../errors/CommandError.ts'
import { findText, writePrivateJson } from '../files/privateFile.ts'

/** The webhook of a receiver, and the events that it has acknowledged. */
export type CursorState = {
  readonly version: 1
  /** The URL of the service. A cursor belongs to one service. */
  readonly service: string
  readonly webhookId: string
  readonly secret: string
  /** The port of the receiver, which the webhook names. */
  readonly port: number
  /** The event that was being handled. If the receiver crashed meanwhile, the event may be printed twice. */
  readonly handling?: string | undefined
  /** Ids of the acknowledged events, the newest last. */
  readonly acknowledged: readonly string[]
}

// The service redelivers an event for at most a week, and given-up ones for 30 days.
const maxAcknowledged = 10_000

/** The acknowledged events, on disk if the cursor has a file. */
export type Cursor = ReturnType<typeof createCursor>

/** Creates a cursor. Each change is on disk before it resolves. */
export function createCursor(initial: CursorState, file: string | undefined) {
  let state = initial
  let writing = Promise.resolve()
  const update = async (change: Partial<CursorState>) => {
    state = { ...state, ...change }
    if (file === undefined) return
    const write = writing.then(() => writePrivateJson(file, state))
    writing = write.catch(() => {})
    await write
  }
  return {
    get state(): CursorState {
      return state
    },
    isAcknowledged: (id: string) => state.acknowledged.includes(id),
    /** Notes that an event is being handled. Returns whether it was being handled when an earlier process ended. */
    async begin(id: string): Promise<boolean> {
      const isRepeated = state.handling === id
      await update({ handling: id })
      return isRepeated
    },
    async acknowledge(id: string): Promise<void> {
      await update({ handling: undefined, acknowledged: [...state.acknowledged, id].slice(-maxAcknowledged) })
    },
  }
}

/** Reads a cursor; undefined if its file does not exist. @throws `CommandError` if the file is not a cursor */
export async function findCursor(file: string): Promise<CursorState | undefined> {
  const content = await findText(file)
  if (content === undefined) return undefined
  try {
    const state = JSON.parse(content) as CursorState
    if (state.version === 1 && Array.isArray(state.acknowledged)) return state
  } catch {
    // Not JSON.
  }
  throw new CommandError('input', `${file} is not a cursor of agio webhooks listen`)
}
