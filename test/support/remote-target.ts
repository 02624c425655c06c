import { createHttpInvoke, type Fetch } from '../../src/client/http-invoke.ts';
import type { HttpInvoke } from '../../src/client/http-invoke-type.ts';
import { type Caller, contract } from '../../src/contract.ts';
import { owner } from './engine.ts';
import { keyOf, type Served, serveRest } from './rest-target.ts';
import { directTarget, mcpTarget, type Target } from './targets.ts';

/**
 * MCP in front of a remote instance: its REST service without a socket. Operations that are not
 * tools go to the instance without MCP.
 */
export async function startRemote(): Promise<Target> {
  return remoteTarget(await serveRest(), owner);
}

function remoteTarget(served: Served, caller: Caller): Target {
  const { engine } = served;
  const opening = openInvoke(served, caller);
  const invoke: HttpInvoke = async (...call) => (await opening)(...call);
  const mcp = mcpTarget({ ...engine, invoke }, caller);
  const direct = directTarget({ ...engine, invoke }, caller);
  return {
    engine,
    call: (name, input) => (contract[name].tool === null ? direct : mcp).call(name, input),
    refusal: (name, input) => (contract[name].tool === null ? direct : mcp).refusal(name, input),
    as: (other) => remoteTarget(served, { ...caller, ...other }),
    stop: mcp.stop,
  };
}

async function openInvoke(served: Served, caller: Caller): Promise<HttpInvoke> {
  return createHttpInvoke({
    base_url: 'http://remote.test',
    api_key: await keyOf(served, caller),
    fetch: fetchFrom(served),
  });
}

/** A fetch that calls an app as if it listened. */
export function fetchFrom({ app }: Pick<Served, 'app'>): Fetch {
  return async (url, init) => app.request(url, init);
}
