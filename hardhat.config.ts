import { createRequire } from 'node:module'
import process from 'node:process'

import keystore from '@nomicfoundation/hardhat-keystore'
import nodeTestRunner from '@nomicfoundation/hardhat-node-test-runner'
import viem from '@nomicfoundation/hardhat-viem'
import { defineConfig } from 'hardhat/config'
import agio from './packages/localnet/src/hardhat.ts'

const require = createRequire(import.meta.url)

export default defineConfig({
  plugins: [agio, viem, keystore, nodeTestRunner],
  // The test runner takes every file of its folder.
  paths: { sources: 'contracts', tests: { nodejs: 'contracts/test' } },
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
      // The nightly run has ten times as many. For a long run, INVARIANT_DEPTH=6250 makes 100,000 calls of each.
      fuzz: { runs: Number(process.env.FUZZ_RUNS ?? 100) },
      invariant: { runs: 16, depth: Number(process.env.INVARIANT_DEPTH ?? 20), failOnRevert: true },
      fsPermissions: { readFile: ['contracts/testing/permit2/creation.hex'] },
    },
  },
})
