// The service on Node without the other commands, for images that hold the service alone.
import { serveOnNode } from './workers/serveOnNode.ts'

await serveOnNode()
