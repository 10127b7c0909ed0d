// Builds the script that is run in every page before its own, as one file.
export default {
  build: {
    outDir: 'wallet',
    lib: { entry: 'src/wallet.ts', name: 'wallet', formats: ['iife'], fileName: () => 'wallet.js' },
  },
}
