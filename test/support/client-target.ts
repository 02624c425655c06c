import type { Client } from '../../src/client/client-interface.ts';
import { createClient } from '../../src/client/create-client.ts';
import { methodName } from '../../src/client/create-methods.ts';
import type { Caller, OperationName } from '../../src/contract.ts';
import { listen } from '../../src/rest/server/listen.ts';
import { owner } from './engine.ts';
import { keyOf, type Served, serveRest } from './rest-target.ts';
import { type Input, refusalOf, type Target, waitFor } from './targets.ts';

/** The typed client, connected to the engine's REST service over a real socket. */
export async function startClient(): Promise<Target> {
  const served = await serveRest();
  const server = await listen(served.app.fetch, { host: '127.0.0.1', port: 0 });
  const stop = async () => {
    await server.close();
    await served.engine.stop();
  };
  return clientTarget({ ...served, base_url: server.url, stop }, owner);
}

type Listening = Served & { base_url: string; stop(): Promise<void> };
type Method = (input: Input) => Promise<unknown>;

function clientTarget(served: Listening, caller: Caller): Target {
  let client: Promise<Client> | null = null;
  const send = async (name: OperationName, input: Input) => {
    client ??= openClient(served, caller);
    const methods: Record<string, unknown> = { ...(await client) };
    const method = methods[methodName(name)] as Method; // each operation has one
    return method({ ...waitFor(name), ...input });
  };
  return {
    engine: served.engine,
    call: async (name, input) => (await send(name, input)) as never, // the type is that of the record
    refusal: (name, input) => refusalOf(send(name, input)),
    as: (other) => clientTarget(served, { ...caller, ...other }),
    stop: served.stop,
  };
}

async function openClient(served: Listening, caller: Caller): Promise<Client> {
  return createClient({ base_url: served.base_url, api_key: await keyOf(served, caller) });
}
