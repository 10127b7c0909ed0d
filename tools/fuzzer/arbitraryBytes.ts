import fc from 'fast-check'

const sequences = [
  'ff',
  'fe',
  'c0af',
  'c0',
  'eda080',
  'edb080',
  'f4908080',
  'f8888080',
  'e282',
  '80',
  'efbbbf',
  'efbfbd',
  '00',
  '1f',
  '7f',
  'c280',
  'e280a8',
  'efbfbe',
  'f09f92',
].map((hex) => Buffer.from(hex, 'hex'))

const encodings: readonly ((text: string) => Buffer)[] = [
  (text) => Buffer.from(text, 'utf16le'),
  (text) => Buffer.from(text, 'utf16le').swap16(),
  (text) => Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from(text, 'utf16le')]),
  (text) => Buffer.concat([Buffer.from('efbbbf', 'hex'), Buffer.from(text)]),
  (text) => Buffer.from(text.replaceAll('a', 'é'), 'latin1'),
  (text) => Buffer.from(text).toReversed() as Buffer,
]

/** A body with invalid UTF-8, another encoding, truncated, or with changed bytes. */
export function arbitraryBytes(text: string): fc.Arbitrary<Buffer> {
  const bytes = Buffer.from(text)
  const at = fc.nat({ max: bytes.length })
  return fc.oneof(
    fc.tuple(at, fc.constantFrom(...sequences)).map(([index, odd]) => splice(bytes, index, odd)),
    fc.constantFrom(...encodings).map((encode) => Buffer.from(encode(text))),
    at.map((length) => bytes.subarray(0, length)),
    fc.tuple(at, fc.uint8Array({ minLength: 1, maxLength: 4 })).map(([index, odd]) => splice(bytes, index, odd)),
    fc.uint8Array({ maxLength: 300 }).map((random) => Buffer.from(random)),
  )
}

function splice(bytes: Buffer, index: number, odd: Uint8Array): Buffer {
  return Buffer.concat([bytes.subarray(0, index), odd, bytes.subarray(index)])
}
