import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  inputResponse,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { instructions } from './instructions.ts';
import type { McpOptions } from './tools/options.ts';
import type { ConfirmationState, ToolServer } from './tools/tool-call.ts';

export type { McpOptions } from './tools/options.ts';

/**
 * Creates an MCP server for one connection, without side effects: all that needs the contract is
 * loaded by the first request that uses it, so that `initialize` is answered fast.
 */
export function createMcpServer(options: McpOptions): Server {
  const server = new Server(
    { name: 'mneme', title: 'mneme memory', version: options.version },
    {
      capabilities: { tools: {}, prompts: {}, resources: {} },
      instructions: instructions(options),
    },
  );
  const toolServer = createLateToolServer(options);
  serveTools(server, options, toolServer);
  servePrompts(server, options);
  serveResources(server, options, toolServer);
  return server;
}

type LateToolServer = () => Promise<ToolServer>;

/** Created by the first request that needs it, then kept for the connection. */
function createLateToolServer(options: McpOptions): LateToolServer {
  let toolServer: ToolServer | null = null;
  return async () => {
    toolServer ??= (await loadHandlers()).createToolServer(options);
    return toolServer;
  };
}

/**
 * Loads all handlers at once, because an update may replace the files of the program while it
 * runs.
 */
async function loadHandlers() {
  const [{ listTools }, { callTool }, { createToolServer }, prompts, resources] = await Promise.all(
    [
      import('./tools/list-tools.ts'),
      import('./tools/call-tool.ts'),
      import('./tools/tool-call.ts'),
      import('./prompts.ts'),
      import('./resources.ts'),
    ],
  );
  const { listPrompts, getPrompt } = prompts;
  const { listResources, resourceTemplates: templates, readResource } = resources;
  return {
    listTools,
    callTool,
    createToolServer,
    listPrompts,
    getPrompt,
    listResources,
    templates,
    readResource,
  };
}

function serveTools(server: Server, options: McpOptions, toolServer: LateToolServer): void {
  server.setRequestHandler('tools/list', async () => {
    const { listTools } = await loadHandlers();
    return { tools: listTools(options) };
  });
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const { callTool } = await loadHandlers();
    const confirmation = readElicitation(server, ctx);
    const { signal } = ctx.mcpReq;
    return callTool(params, { ...(await toolServer()), signal, confirmation });
  });
}

function servePrompts(server: Server, options: McpOptions): void {
  server.setRequestHandler('prompts/list', async () => {
    const { listPrompts } = await loadHandlers();
    return { prompts: listPrompts(options) };
  });
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const { getPrompt } = await loadHandlers();
    return getPrompt(params, options);
  });
}

function serveResources(server: Server, options: McpOptions, toolServer: LateToolServer): void {
  server.setRequestHandler('resources/list', async () => {
    const { listResources } = await loadHandlers();
    return { resources: listResources(options) };
  });
  server.setRequestHandler('resources/templates/list', async () => {
    const { templates } = await loadHandlers();
    return { resourceTemplates: templates };
  });
  server.setRequestHandler('resources/read', async ({ params }, ctx) => {
    const { readResource } = await loadHandlers();
    const { signal } = ctx.mcpReq;
    return readResource(params.uri, { ...(await toolServer()), signal });
  });
}

/** In the newer era capabilities come with each request, in the older with `initialize`. */
function readElicitation(server: Server, { mcpReq }: ServerContext): ConfirmationState {
  const envelope: { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } = mcpReq.envelope ?? {};
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const elicitation = capabilities?.elicitation;
  const view = inputResponse(mcpReq.inputResponses, 'confirm');
  const confirmed =
    view.kind === 'elicit' && view.action === 'accept' && view.content?.confirm === true;
  return {
    // Without a mode, the client means forms.
    elicits: elicitation !== undefined && (elicitation.form !== undefined || !elicitation.url),
    answer: view.kind === 'missing' ? null : confirmed ? 'confirmed' : 'refused',
    state: mcpReq.requestState<string>(),
  };
}
