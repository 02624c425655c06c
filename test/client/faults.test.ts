import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { connectRemote, type RemoteEngine } from '../../src/app/remote/connect-remote.ts';
import { ApiError } from '../../src/contract/errors.ts';
import type { Input, OperationName } from '../../src/contract.ts';
import { listen } from '../../src/rest/server/listen.ts';
import { owner } from '../support/engine.ts';
import { type Fault, type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { keyOf, type Served, serveRest } from '../support/rest-target.ts';

/** Long enough for a retry or two on a busy machine, short enough for those that wait for its end. */
const timeout_ms = 5000;

/** A real service, which the tests look into behind the back of what stands before it. */
let served: Served;
let service: Awaited<ReturnType<typeof listen>>;

beforeEach(async () => {
  served = await serveRest();
  service = await listen(served.app.fetch, { host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  await service.close();
  await served.engine.stop();
});

type Case = { isMneme?: boolean; faults: readonly Fault[]; remote_timeout_ms?: number };

async function connect({ isMneme = true, faults, remote_timeout_ms = timeout_ms }: Case) {
  const proxy = await startFaultyProxy({ url: service.url, isMneme }, faults);
  const remote = connectRemote(
    {
      base_url: proxy.url,
      api_key: await keyOf(served, owner),
      api_key_command: null,
      remote_timeout_ms,
      org_id: null,
      project_id: null,
      read_only: false,
    },
    () => {},
  );
  onTestFinished(async () => {
    await remote.close();
    await proxy.stop();
  });
  return { remote, proxy };
}

type Connected = { remote: RemoteEngine; proxy: FaultyProxy };

const fact: Input<'add_memory'> = { text: 'Likes tea', metadata: { n: 1 }, user_id: 'alice' };

async function addTo({ remote }: Pick<Connected, 'remote'>) {
  return remote.invoke('add_memory', fact, { caller: owner });
}

async function refusalOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.catch((reason: unknown) => reason);
  if (error instanceof ApiError) return error;
  throw new Error(`no refusal: ${JSON.stringify(error)}`);
}

/** How often each write was carried out, by the events that the service keeps of them. */
async function writes(event_type = 'ADD'): Promise<number> {
  const { total } = await served.engine.invoke('list_events', { event_type }, { caller: owner });
  return total;
}

describe('a write to mneme', () => {
  it.each<Fault>(['reset before', 'a page of 502 before', 'a limit'])(
    'is carried out once and answered, after: %s',
    async (fault) => {
      const { remote } = await connect({ faults: [fault] });

      const { results } = await addTo({ remote });

      expect(results).toMatchObject([{ event: 'ADD', memory: 'Likes tea' }]);
      expect(await writes()).toBe(1);
    },
  );

  it.each<Fault>(['reset after', 'a page of 502 after', 'cut off after'])(
    'is carried out once and answered with ids, after: %s',
    async (fault) => {
      const { remote } = await connect({ faults: [fault] });

      const { results } = await addTo({ remote });

      expect(results).toMatchObject([{ event: 'ADD', id: expect.any(String), memory: '' }]);
      expect(await writes()).toBe(1);
    },
  );

  it('is carried out once through three faults in a row', async () => {
    const { remote } = await connect({
      faults: ['reset after', 'a page of 502 after', 'cut off after'],
    });

    expect(await addTo({ remote })).toMatchObject({ results: [{ event: 'ADD' }] });
    expect(await writes()).toBe(1);
  });

  it('that deletes answers what the first try did', async () => {
    await served.engine.invoke('add_memory', fact, { caller: owner });
    const { remote } = await connect({ faults: ['reset after'] });

    const answer = remote.invoke('delete_all_memories', { user_id: 'alice' }, { caller: owner });

    expect(await answer).toMatchObject({ deleted: 1 });
    expect(await writes('DELETE_ALL')).toBe(1);
  });
});

describe('a write to another server', () => {
  it.each<Fault>(['reset after', 'cut off after', 'a page of 502 after'])(
    'is not repeated, and said to be open, after: %s',
    async (fault) => {
      const { remote, proxy } = await connect({ isMneme: false, faults: [fault] });

      const { code, next } = await refusalOf(addTo({ remote }));

      expect({ code, next }).toEqual({
        code: 'unavailable',
        next: 'It may have been carried out: check what is stored before you repeat it.',
      });
      expect(proxy.requests).toHaveLength(1);
      expect(await writes()).toBe(1);
    },
  );

  it('is repeated after a limit', async () => {
    const { remote } = await connect({ isMneme: false, faults: ['a limit'] });

    expect(await addTo({ remote })).toMatchObject({ results: [{ memory: 'Likes tea' }] });
    expect(await writes()).toBe(1);
  });

  it('is repeated when nobody was there', async () => {
    const remote = connectRemote(
      {
        base_url: await closedPort(),
        api_key: 'mk_secret',
        api_key_command: null,
        remote_timeout_ms: timeout_ms,
        org_id: null,
        project_id: null,
        read_only: false,
      },
      (...line) => logged.push(line),
    );
    const logged: unknown[] = [];
    onTestFinished(() => remote.close());

    const { message } = await refusalOf(addTo({ remote }));

    expect(message).toMatch(/127\.0\.0\.1:\d+ refused/);
    expect(logged).toHaveLength(3);
  });
});

describe('a call', () => {
  const reads: readonly [OperationName, object][] = [
    ['search_memories', { query: 'tea', user_id: 'alice' }],
    ['list_entities', {}],
  ];

  it.each(reads)('that reads, such as %s, is repeated through faults', async (name, input) => {
    await served.engine.invoke('add_memory', fact, { caller: owner });
    const { remote } = await connect({
      isMneme: false,
      faults: ['reset before', 'cut off after', 'a page of 502 before'],
    });

    expect(await remote.invoke(name, input, { caller: owner })).toMatchObject({
      results: [expect.anything()],
    });
  });

  it.each<Fault>(['silence', 'bytes now and then after'])(
    'ends with its time, after: %s',
    async (fault) => {
      const { remote } = await connect({ faults: [fault], remote_timeout_ms: 500 });

      const { code, message } = await refusalOf(addTo({ remote }));

      expect(code).toBe('unavailable');
      expect(message).toMatch(/500 ms|stopped/);
    },
  );

  it('that is answered by half of the JSON is not repeated', async () => {
    const { remote, proxy } = await connect({ faults: ['half of the JSON after'] });

    expect(await refusalOf(addTo({ remote }))).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('not JSON'),
      next: expect.stringContaining('stored'),
    });
    expect(proxy.requests).toHaveLength(1);
    expect(await writes()).toBe(1);
  });

  it('says nothing of what stands behind a page of 502', async () => {
    const faults = Array.from({ length: 4 }, (): Fault => 'a page of 502 before');
    const { remote } = await connect({ faults });

    const { message } = await refusalOf(addTo({ remote }));

    expect(message).toMatch(/127\.0\.0\.1:\d+ returned status 502$/);
  });
});

/** An address of this machine that nobody listens on. */
async function closedPort(): Promise<string> {
  const { url, stop } = await startFaultyProxy({ url: '', isMneme: true }, []);
  await stop();
  return url;
}
