/** A message to a server, without what JSON-RPC adds. */
export type Message = { method: string; params: object };
export type Tool = { name: string; arguments: object };

const revision = '2026-07-28';
export const clientInfo = { name: 'mneme-bench', version: '1.0.0' };

/** A call in the newer era, in which each says all about its client. */
export function newerCall(tool: Tool): Message {
  const prefix = 'io.modelcontextprotocol';
  const _meta = {
    [`${prefix}/protocolVersion`]: revision,
    [`${prefix}/clientInfo`]: clientInfo,
    [`${prefix}/clientCapabilities`]: {},
  };
  return { method: 'tools/call', params: { ...tool, _meta } };
}

/** What such a call over HTTP also says about itself. */
export function newerHeaders({ name }: Tool) {
  const call = { 'Mcp-Protocol-Version': revision, 'Mcp-Method': 'tools/call' };
  return { ...call, 'Mcp-Name': name, ...accepted };
}

/** What clients of `/mcp` must accept. */
export const accepted = { Accept: 'application/json, text/event-stream' };

/** The first id of a memory in an answer. */
export function idIn(answer: string): string {
  const [, id] = /"id":"([\da-f-]{36})"/.exec(answer) ?? [];
  if (id === undefined) throw new Error(`nothing found: ${answer.slice(0, 500)}`);
  return id;
}
