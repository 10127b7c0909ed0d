/** A port from an environment variable. 0 means any. @throws `Error` that names the variable */
export function readPort(name: string, fallback: number, highest = 65_535): number {
  const value = process.env[name] || `${fallback}`
  if (/^\d{1,5}$/.test(value) && Number(value) <= highest) return Number(value)
  throw new Error(`Cannot use ${name}: '${value}' is not a port from 0 to ${highest}`)
}
