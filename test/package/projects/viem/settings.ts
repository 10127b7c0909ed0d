// What the test passes to the program.
type Settings = {
  readonly url: string
  readonly apiKey: string
  readonly rpcUrl: string
  readonly privateKey: `0x${string}`
  readonly terms: { readonly tokenIn: `0x${string}`; readonly tokenOut: `0x${string}`; readonly amountIn: string }
}

declare const process: { readonly argv: readonly string[] }

export const { url, apiKey, rpcUrl, privateKey, terms } = JSON.parse(process.argv[2] ?? '') as Settings
