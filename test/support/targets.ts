import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { inject } from 'vitest';
import { ApiError, type ErrorCode } from '../../src/contract/errors.ts';
import { type Caller, contract, type OperationName, type Output } from '../../src/contract.ts';
import { createMcpServer, type McpOptions } from '../../src/mcp/server.ts';
import { startClient } from './client-target.ts';
import { type Engine, owner, startEngine } from './engine.ts';
import { startRemote } from './remote-target.ts';
import { startRest } from './rest-target.ts';

/** One way to reach the engine. Scenarios are written once and run on every target. */
export type Target = {
  engine: Engine;
  /** Returns the operation's output; throws if it is refused. */
  call<N extends OperationName>(name: N, input: Input): Promise<Output<N>>;
  /** Returns how the operation is refused; throws if it is not. */
  refusal(name: OperationName, input: Input): Promise<Refusal>;
  /** The same engine as another caller. */
  as(caller: Partial<Caller>): Target;
  stop(): Promise<void>;
};

export type Input = Record<string, unknown>;
export type Refusal = { code: ErrorCode; message: string };

type Entry = readonly [name: string, start: () => Promise<Target>];

/** Targets without HTTP. */
const near: readonly Entry[] = [
  ['directly', startDirect],
  ['through MCP', startMcp],
];
const far: readonly Entry[] = [
  ['through REST', startRest],
  ['through MCP in front of a remote', startRemote],
  ['through the typed client', startClient],
];

/** For PostgreSQL, whose statements are the same whichever way a call came. */
const few: readonly Entry[] = [
  ['directly', startDirect],
  ['through REST', startRest],
];

declare module 'vitest' {
  interface ProvidedContext {
    /** The targets on which a vitest project runs scenarios. */
    targets: 'near' | 'far' | 'few' | 'all';
  }
}

/** The targets of this run: vitest.config.ts assigns them to projects. */
export const targets = { near, far, few, all: [...near, ...far] }[inject('targets')];

async function startDirect(): Promise<Target> {
  const engine = await startEngine();
  return directTarget(engine, owner);
}

export function directTarget(engine: Engine, caller: Caller): Target {
  const call: Target['call'] = (name, input) =>
    engine.invoke(name, { ...waitFor(name), ...input }, { caller });
  return {
    engine,
    call,
    refusal: (name, input) => refusalOf(call(name, input)),
    as: (other) => directTarget(engine, { ...caller, ...other }),
    stop: () => engine.stop(),
  };
}

/** Scenarios check what is stored, so an add waits unless it says otherwise. */
export function waitFor(name: OperationName): Input {
  return name === 'add_memory' ? { async_mode: false } : {};
}

export async function refusalOf(answer: Promise<unknown>): Promise<Refusal> {
  const value = await answer.catch((error: unknown) => {
    if (error instanceof ApiError) return error;
    throw error;
  });
  if (value instanceof ApiError) return { code: value.code, message: value.message };
  throw new Error(`expected a refusal, got ${JSON.stringify(value)}`);
}

async function startMcp(): Promise<Target> {
  return mcpTarget(await startEngine(), owner);
}

/** A real client and server over the transport that stdio uses, on the same engine. */
export function mcpTarget(engine: Engine, caller: Caller): Target {
  const client = connectClient(engine, caller);
  const callTool = async (name: OperationName, input: Input) => {
    const formats = contract[name].tool?.formats === true;
    const arguments_ = { ...input, ...(formats && { response_format: 'detailed' }) };
    return (await client).callTool({ name, arguments: arguments_ });
  };
  return {
    engine,
    call: async (name, input) => {
      const { isError, structuredContent } = await callTool(name, input);
      if (isError) throw new Error(`refused: ${JSON.stringify(structuredContent)}`);
      return structuredContent as never; // the output schema of the operation defines it
    },
    refusal: async (name, input) => {
      const { isError, structuredContent } = await callTool(name, input);
      if (isError) return (structuredContent as { error: Refusal }).error;
      throw new Error(`expected a refusal, got ${JSON.stringify(structuredContent)}`);
    },
    as: (other) => mcpTarget(engine, { ...caller, ...other }),
    stop: async () => {
      await (await client).close();
      await engine.stop();
    },
  };
}

async function connectClient(engine: Engine, caller: Caller): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const options: McpOptions = {
    invoke: engine.invoke,
    caller,
    version: '0.0.0',
    scope: {},
    lock_scope: false,
    toolsets: null,
    tools: null,
    exclude_tools: [],
    read_only: false,
    add_wait_ms: 10_000,
    tool_timeout_ms: 60_000,
    result_max_tokens: 100_000,
    confirm_destructive: false,
    admin_approval: 'forms',
    strict_schemas: false,
    secret: engine.store.secret,
    now: Date.now,
    log: () => {},
  };
  serveStdio(() => createMcpServer(options), { transport: far });
  const client = new Client({ name: 'scenarios', version: '0.0.0' });
  await client.connect(near);
  // A client that has listed the tools checks each result against its schema.
  await client.listTools();
  return client;
}
