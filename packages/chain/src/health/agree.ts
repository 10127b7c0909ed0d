/**
 * Asks nodes in their order whether they give the same vote, until enough of them do or one contradicts.
 *
 * A node that fails, times out or lacks the block abstains: its `read` rejects or returns undefined. Unknown is neither
 * agreement nor disagreement.
 *
 * @param read returns the vote of a node; `agreed` is the number of nodes that have agreed before
 */
export async function agree<Node, Vote>(
  nodes: readonly Node[],
  read: (node: Node, agreed: number) => Promise<Vote | undefined>,
  { isSame, needed = 1 }: agree.Options<Vote>,
): Promise<Agreement<Node, Vote>> {
  let agreed = 0
  for (const node of nodes) {
    const vote = await read(node, agreed).catch(abstain)
    if (vote === undefined) continue
    if (!isSame(vote)) return { verdict: 'disagreed', node, vote }
    agreed += 1
    if (agreed === needed) return { verdict: 'agreed', node, vote }
  }
  return { verdict: 'none' }
}

export declare namespace agree {
  type Options<Vote> = {
    readonly isSame: (vote: Vote) => boolean
    /** How many nodes must agree; one by default. */
    readonly needed?: number
  }
}

/** Whether enough nodes agree or one disagrees, with the node whose vote decided; `none` if too few nodes have a vote. */
export type Agreement<Node, Vote> =
  | { readonly verdict: 'agreed' | 'disagreed'; readonly node: Node; readonly vote: Vote }
  | { readonly verdict: 'none'; readonly vote?: undefined }

/** Asks all nodes at once, and returns the votes of those that do not abstain, by the rule of `agree`. */
export async function listVotes<Node, Vote>(
  nodes: readonly Node[],
  read: (node: Node) => Promise<Vote | undefined>,
): Promise<readonly { readonly node: Node; readonly vote: Vote }[]> {
  const votes = await Promise.all(nodes.map(async (node) => ({ node, vote: await read(node).catch(abstain) })))
  return votes.flatMap(({ node, vote }) => (vote === undefined ? [] : [{ node, vote }]))
}

function abstain(): undefined {}
