import type { Answer } from './Answer.ts'
import { findLeak } from './findLeak.ts'
import type { FuzzRequest } from './FuzzRequest.ts'
import { isRefusable } from './isRefusable.ts'
import { judgeRest } from './judgeRest.ts'
import { judgeTrpc } from './judgeTrpc.ts'

/**
 * Tells what is wrong with an answer, if anything: whatever was asked, it is a success that openapi.json describes or a
 * failure of the catalogue, in the shape of its transport, and it leaks nothing.
 *
 * @param asked what the answer is for, if that is known: bytes on a connection may be anything
 */
export function judgeAnswer(
  answer: Answer,
  asked: judgeAnswer.Asked | undefined,
  secrets: readonly string[],
): string | undefined {
  const { status, headers, text } = answer
  const leak = findLeak(JSON.stringify(answer), secrets)
  if (leak !== undefined) return `it shows ${leak}`
  if (status >= 500) return `its status is ${status}`
  // Clients in other languages refuse such JSON.
  if (/(?<!\\)(?:\\\\)*\\ud[89a-f]/i.test(text)) return 'it holds half a character'
  if (isBare(answer)) return asked && !isRefusable(asked) ? 'it is bare' : undefined
  if (headers['x-request-id'] === undefined) return 'it has no X-Request-Id'
  if (asked?.method === 'HEAD' || status === 204) return text === '' ? undefined : 'it has a body'
  // A refusal may quote the path, and no more than the beginning of all else.
  if (asked && status >= 400 && text.length > 10_000 + 3 * asked.target.length) return 'it sends a large body back'
  return asked && isExact(asked) ? judgeAt(asked, answer) : judgeBody(answer)
}

export declare namespace judgeAnswer {
  type Asked = Pick<FuzzRequest, 'method' | 'target' | 'headers'>
}

/**
 * What the runtime's own server refuses never reaches the service, and has no envelope: 400 for a malformed request, 413 for
 * an overlong chunk extension, 414 and 431 for a head that is too large, 417 for an expectation that it cannot meet.
 */
function isBare({ status, headers, text }: Answer): boolean {
  return [400, 413, 414, 417, 431].includes(status) && text === '' && headers['x-request-id'] === undefined
}

/** Whether the service sees just that path: runtimes read dots, fragments and what stands in for a host differently. */
function isExact({ target, headers }: judgeAnswer.Asked): boolean {
  const hasPlainPath = /^\/[!-~]*$/.test(target) && !/^[^?]*(#|\/\.|%2e)/i.test(target)
  return hasPlainPath && !headers.some(([name]) => name.toLowerCase() === 'host')
}

function judgeAt({ method, target }: judgeAnswer.Asked, answer: Answer): string | undefined {
  const [path = ''] = target.split('?', 1)
  if (/^\/trpc(\/|$)/.test(decode(path))) return judgeTrpc(path, answer)
  if (answer.status === 200 && !path.startsWith('/api/')) return undefined
  return judgeRest({ method, path }, answer)
}

function judgeBody(answer: Answer): string | undefined {
  if (answer.status === 200) return undefined
  return answer.text.startsWith('{"success"') ? judgeRest(undefined, answer) : judgeTrpc(undefined, answer)
}

function decode(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
