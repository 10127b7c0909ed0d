import { createAgio } from '@agio/sdk'
import { createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { baseSepolia } from 'viem/chains'
import { apiKey, privateKey, rpcUrl, terms, url } from './settings.ts'

const agio = createAgio({ url, apiKey })
const account = privateKeyToAccount(privateKey)
const wallet = createWalletClient({ account, chain: baseSepolia, transport: http(rpcUrl) })
const quote = await agio.quote({ chainId: baseSepolia.id, ...terms })
const receipt = await agio.convert({ quote, wallet })
console.log(JSON.stringify(receipt))
