import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { onTestFinished } from 'vitest';
import { type Connect, type Form, openFirst, openSecond } from './clients.ts';
import { ownerKey, type Service, spawnService } from './service.ts';
import type { Settings } from './support.ts';

/** Each client that people run over HTTP, with a server of its own. */
export const httpClients: readonly (readonly [string, Connect])[] = [
  [
    'the 2.x client that negotiates, over HTTP',
    (settings, form) => served(settings, (at) => openSecond(second(at), { mode: 'auto', form })),
  ],
  [
    'the 2.x client of the older era, over HTTP',
    (settings, form) => served(settings, (at) => openSecond(second(at), { mode: 'legacy', form })),
  ],
  [
    'the 1.x client, over HTTP',
    (settings, form) => served(settings, (at) => openFirst(first(at), form)),
  ],
];

/** The address and credentials of a client. */
type Address = {
  url: string;
  key?: string;
  headers?: Record<string, string>;
  /** Behind `/mcp`, with its question mark. */
  query?: string;
};

type Choices = { mode?: 'auto' | 'legacy'; form?: Form };

type Opened = Awaited<ReturnType<typeof openSecond>>;

async function served(settings: Settings, open: (service: Service) => Promise<Opened>) {
  const service = await spawnService(settings);
  const opened = await open(service);
  return {
    ...opened,
    pid: -1, // no test asks for it
    stderr: service.stderr,
    close: async () => {
      await opened.close();
      service.kill('SIGTERM');
      await service.exited;
    },
  };
}

/** What today's client talks through. */
function second(address: Address): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(urlOf(address), optionsOf(address));
}

/** What the client of the maintenance line talks through. */
function first(address: Address): FirstTransport {
  return new FirstTransport(urlOf(address), optionsOf(address));
}

/** A client of a service that a test started. */
export async function connectTo(address: Address, choices: Choices = {}): Promise<Opened> {
  const { mode = 'auto', form } = choices;
  const opened = await openSecond(second(address), { mode, form });
  onTestFinished(() => opened.close());
  return opened;
}

function urlOf({ url, query = '' }: Address): URL {
  return new URL(`${url}/mcp${query}`);
}

function optionsOf({ key = ownerKey, headers }: Address) {
  return { requestInit: { headers: { Authorization: `Bearer ${key}`, ...headers } } };
}
