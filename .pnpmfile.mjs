// The service serves Scalar's browser bundle, which contains its dependencies.
const bundled = new Set(['@scalar/api-reference'])

// These declare TypeScript as a peer for the sake of their types: a deployed service needs no compiler.
const typed = new Set(['@trpc/client', '@trpc/server', 'abitype', 'ox', 'viem'])

export const hooks = {
  readPackage(manifest) {
    if (bundled.has(manifest.name)) manifest.dependencies = {}
    if (typed.has(manifest.name)) {
      delete manifest.peerDependencies?.typescript
      delete manifest.peerDependenciesMeta?.typescript
    }
    return manifest
  },
}
