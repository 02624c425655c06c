import { listTools } from '../../src/mcp/tools/list-tools.ts';

/** The names of all tools, in the order in which a server lists them. */
export const toolNames: readonly string[] = listTools({
  toolsets: null,
  tools: null,
  exclude_tools: [],
  read_only: false,
  scope: {},
  lock_scope: false,
}).map(({ name }) => name);
