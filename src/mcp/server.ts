import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  inputResponse,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { instructions } from './instructions.ts';
import type { McpOptions } from './options.ts';
import type { Asked } from './request.ts';
import type { ToolTable } from './tool.ts';

export type { McpOptions } from './options.ts';

/**
 * An MCP server for one connection. Cheap and without side effects: what needs the contract is
 * loaded by the first request that asks for it, so that `initialize` is answered fast.
 */
export function createMcpServer(options: McpOptions): Server {
  const server = new Server(
    { name: 'mneme', title: 'mneme memory', version: options.version },
    {
      capabilities: { tools: {}, prompts: {}, resources: {} },
      instructions: instructions(options),
    },
  );
  const tools = lateTable(options);
  serveTools(server, options, tools);
  servePrompts(server, options);
  serveResources(server, options, tools);
  return server;
}

type LateTable = () => Promise<ToolTable>;

/** Worked out by the first request that needs it, then kept for the connection. */
function lateTable(options: McpOptions): LateTable {
  let table: ToolTable | null = null;
  return async () => {
    table ??= (await load()).createToolTable(options);
    return table;
  };
}

/**
 * All that answers need besides the handshake, at once: an update may replace the program's files
 * while it runs.
 */
async function load() {
  const [{ listTools }, { callTool }, { createToolTable }, prompts, resources] = await Promise.all([
    import('./listed.ts'),
    import('./call.ts'),
    import('./tool.ts'),
    import('./prompts.ts'),
    import('./resources.ts'),
  ]);
  const { listPrompts, getPrompt } = prompts;
  const { listResources, resourceTemplates: templates, readResource } = resources;
  return {
    listTools,
    callTool,
    createToolTable,
    listPrompts,
    getPrompt,
    listResources,
    templates,
    readResource,
  };
}

function serveTools(server: Server, options: McpOptions, tools: LateTable): void {
  server.setRequestHandler('tools/list', async () => {
    const { listTools } = await load();
    return { tools: listTools(options) };
  });
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const { callTool } = await load();
    const asked = readAsked(server, ctx);
    return callTool(params, { options, tools: await tools(), signal: ctx.mcpReq.signal, asked });
  });
}

function servePrompts(server: Server, options: McpOptions): void {
  server.setRequestHandler('prompts/list', async () => {
    const { listPrompts } = await load();
    return { prompts: listPrompts(options) };
  });
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const { getPrompt } = await load();
    return getPrompt(params, options);
  });
}

function serveResources(server: Server, options: McpOptions, tools: LateTable): void {
  server.setRequestHandler('resources/list', async () => {
    const { listResources } = await load();
    return { resources: listResources(options) };
  });
  server.setRequestHandler('resources/templates/list', async () => {
    const { templates } = await load();
    return { resourceTemplates: templates };
  });
  server.setRequestHandler('resources/read', async ({ params }, ctx) => {
    const { readResource } = await load();
    const { signal } = ctx.mcpReq;
    return readResource(params.uri, { options, tools: await tools(), signal });
  });
}

/** Both eras: capabilities come with each request in the newer one, from `initialize` before. */
function readAsked(server: Server, { mcpReq }: ServerContext): Asked {
  const envelope: { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } = mcpReq.envelope ?? {};
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const elicitation = declared?.elicitation;
  const view = inputResponse(mcpReq.inputResponses, 'confirm');
  const confirmed =
    view.kind === 'elicit' && view.action === 'accept' && view.content?.confirm === true;
  return {
    // Without a mode named, form is meant.
    elicits: elicitation !== undefined && (elicitation.form !== undefined || !elicitation.url),
    answer: view.kind === 'missing' ? null : confirmed ? 'confirmed' : 'refused',
    state: mcpReq.requestState<string>(),
  };
}
