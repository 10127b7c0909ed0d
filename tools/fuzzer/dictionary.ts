const ofJavaScript = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'toJSON', 'then']
const ofParsers = ['__defineGetter__', 'constructor.prototype', '__proto__[polluted]', 'length', 'a[b]', 'a[]', 'a.b']
const ofRequests = ['chainId', 'ChainId', 'id', 'input', 'batch', 'json', 'meta', '0', '-1']
const ofAttacks = [' ', '', '\u0000', '\u202E', '💥', '%', '<script>', "'; drop table api_keys; --"]

/** Names with a meaning for JavaScript, query parsers or tRPC, and names without any. */
export const oddNames = [...ofJavaScript, ...ofParsers, ...ofRequests, ...ofAttacks]

const integers = ['0', '-0', '1', '-1', '84532', '421614', '1800000000', '4294967296', '9007199254740993']
const decimals = ['1.5', '1.0', '84532.0', '0.000000', '0.1e-7', `0.${'0'.repeat(76)}1`, `1.${'1'.repeat(18)}`]
const exponents = ['1e3', '1e309', '-1e309', '1e-400', '5e-324', '8453.2e1', '1e21', '1E400']
const notJson = ['0x10', '012', '.5', '5.', '+1', 'NaN', 'Infinity', '1_000', '0b1', '1n', '--1', '1e', '٣']

/** Numbers, and texts that only other languages read as numbers. */
export const numbers = [...integers, ...decimals, ...exponents, ...notJson, '9'.repeat(80), '9'.repeat(81)]

const blanks = ['', ' ', '\t', 'a\tb', ' 1', '1 ', '1\n', 'a b', '\u0000', 'a\u0000b', 'a\u007Fb']
const signs = ['*', ',', ';', '"', '\\', '%00', 'a, b', '1,5', '../..', '../../etc/passwd', '<script>']
const characters = ['é', 'ÿ', '💥', '１', '\uFEFF', '\uFFFD', '\u2028', '\u202E']
const words = ['null', 'true', 'unknown', 'production', 'local', 'a@b.example', '2026-13', '2000-01', '2099-12']
const templates = ['${7*7}', '{{7*7}}', '${jndi:ldap://x}']
const zeros = ['0x', `0x${'0'.repeat(40)}`, `0x${'g'.repeat(40)}`, `0X${'a'.repeat(40)}`, `0x${'f'.repeat(64)}`]
const transactions = ['0x02', '0x02c0', '0x02f8', `0x02${'ff'.repeat(40)}`]
const long = ['x'.repeat(128), 'x'.repeat(129), 'x'.repeat(8000)]

/** Texts that are odd as the value of a field, a header or a parameter. */
export const texts = [numbers, blanks, signs, characters, words, templates, zeros, transactions, long].flat()

const valid = ['null', 'true', 'false', '[]', '{}', '[[]]', '"0"', '"a"', '[{}]', '[{},{}]']
const almostValid = ['undefined', 'nul', 'TRUE', '', '/**/1', '{"a":1,}', '[,]', '{', '\uFEFF{}']
const ofBatches = ['{"0":{}}', '{"0":null}', '{"__proto__":{"0":{}}}']
// Strings that only JSON escapes can express.
const escapes = ['"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"\\x41"', '"\\u12"', '"\t"', '"\n"', "'a'", '"', '"\\"']

/** JSON and almost JSON, also as the input of a batch. */
export const documents = [...valid, ...almostValid, ...ofBatches, ...escapes]
