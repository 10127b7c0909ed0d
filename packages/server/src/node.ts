// The service on Node without the other commands, for images that hold the service alone.
import { serveOnNode } from './serving/serveOnNode.ts'

await serveOnNode()
