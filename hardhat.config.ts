import { createRequire } from 'node:module'
import process from 'node:process'

import hardhatViem from '@nomicfoundation/hardhat-viem'
import { configVariable, defineConfig } from 'hardhat/config'
import type { ChainDescriptorUserConfig, EdrNetworkUserConfig, HttpNetworkUserConfig } from 'hardhat/types/config'
import * as Network from './packages/core/src/network/Network.ts'

const require = createRequire(import.meta.url)

export default defineConfig({
  plugins: [hardhatViem],
  paths: { sources: 'contracts' },
  solidity: {
    version: '0.8.37',
    // The compiler comes from npm, so that a fresh clone compiles without the network.
    path: require.resolve('solc/soljson.js'),
    settings: {
      // A swap runs for years and is deployed once, and every contract is far below the size limit: optimise for running.
      optimizer: { enabled: true, runs: 10_000 },
      // Transient storage and MCOPY. All supported networks have it.
      evmVersion: 'cancun',
      // The committed code of the readers changes with what they do, not with a comment.
      metadata: { bytecodeHash: 'none' },
    },
    // Changing a test does not rebuild the artifacts, and `hardhat build --no-tests` compiles no tests.
    splitTestsCompilation: true,
  },
  test: {
    solidity: {
      fuzz: { runs: 1000 },
      // More calls for a long run: INVARIANT_DEPTH=6250 makes 100,000 of each.
      invariant: { runs: 16, depth: Number(process.env.INVARIANT_DEPTH ?? 80), failOnRevert: true },
      fsPermissions: { readFile: ['contracts/testing/permit2/creation.hex'] },
    },
  },
  // Hardforks of each chain, for forks: the latest from block 0.
  chainDescriptors: Object.fromEntries(Network.all.map(({ chainId, name }) => [chainId, describeChain(name)])),
  networks: Object.fromEntries(
    Network.all.flatMap(({ chainId, slug }) => [
      [`local${chainId}`, localChain(chainId)],
      [slug, liveNetwork(chainId)],
    ]),
  ),
})

function describeChain(name: string): ChainDescriptorUserConfig {
  return { name, chainType: 'generic', hardforkHistory: { osaka: { blockNumber: 0 } } }
}

function localChain(chainId: number): EdrNetworkUserConfig {
  return {
    type: 'edr-simulated',
    chainType: 'generic',
    chainId,
    mining: { auto: true, interval: 2000 },
    // Like a real node: the sender of a transaction that fails gets its hash.
    throwOnTransactionFailures: false,
    // Blocks come faster than seconds while contracts are deployed: the chain's clock must not run ahead.
    allowBlocksWithSameTimestamp: true,
  }
}

function liveNetwork(chainId: number): HttpNetworkUserConfig {
  return {
    type: 'http',
    chainId,
    url: configVariable(`RPC_URL_${chainId}`),
    accounts: [configVariable('DEPLOYER_KEY')],
  }
}
