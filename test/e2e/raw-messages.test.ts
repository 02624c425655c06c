import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolNames } from '../support/tool-names.ts';
import {
  callOverWire,
  hello,
  makeFolder,
  runProgram,
  shakeHands,
  startShared,
  startWire,
  type Wire,
} from './support.ts';

/** What each request of revision 2026-07-28 carries. */
const envelope = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

describe('a connection', () => {
  it('opens with server/discover alone', async () => {
    const wire = startWire({ data_dir: await makeFolder() });

    const found = await wire.request('server/discover', envelope);
    const listed = await wire.request('tools/list', envelope);

    expect(found.result).toMatchObject({ supportedVersions: ['2026-07-28'] });
    expect(listed.result?.tools).toHaveLength(toolNames.length);
  });

  it('opens with initialize alone', async () => {
    const wire = startWire({ data_dir: await makeFolder() });

    const { result } = await shakeHands(wire);
    const listed = await wire.request('tools/list');

    expect(result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'mneme' } });
    expect(listed.result?.tools).toHaveLength(toolNames.length);
  });

  it('continues with initialize after a probe by server/discover', async () => {
    const wire = startWire({ data_dir: await makeFolder() });

    const found = await wire.request('server/discover', envelope);
    const { result } = await shakeHands(wire);
    const added = await callOverWire(wire, 'add_memory', { text: 'Likes tea' });

    expect(found.result).toMatchObject({ supportedVersions: ['2026-07-28'] });
    expect(result).toMatchObject({ protocolVersion: '2025-06-18' });
    expect(added.structuredContent).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('tells a client with an unknown revision which ones it supports', async () => {
    const wire = startWire({ data_dir: await makeFolder() });

    const old = await wire.request('initialize', { ...hello, protocolVersion: '1999-12-31' });

    expect(old.result?.protocolVersion).toMatch(/^20\d\d-\d\d-\d\d$/);
  });

  it('lists tools before initialize', async () => {
    const wire = startWire({ data_dir: await makeFolder() });

    const added = await callOverWire(wire, 'add_memory', { text: 'Was in a hurry' });
    const { result } = await shakeHands(wire);

    expect(added.structuredContent).toMatchObject({ status: 'SUCCEEDED' });
    expect(result).toMatchObject({ serverInfo: { name: 'mneme' } });
  });

  it('responds to requests that arrive in one piece, each under its id', async () => {
    const wire = await startInitialized();
    const texts = Array.from({ length: 20 }, (_, index) => `Fact number ${index}`);

    const lines = texts.map((text, id) =>
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'add_memory', arguments: { text } },
      }),
    );
    wire.write(`${lines.join('\n')}\n`);
    const answers = await Promise.all(texts.map((_, id) => wire.answerTo(id)));

    expect(answers.map(({ result }) => JSON.stringify(result))).toEqual(
      texts.map((text) => expect.stringContaining(`"${text}"`)),
    );
  });

  it('reads a request that arrives byte by byte', async () => {
    const wire = await startInitialized();
    const request = { jsonrpc: '2.0', id: 'slow', method: 'ping' };

    for (const character of `${JSON.stringify(request)}\r\n`) wire.write(character);

    expect(await wire.answerTo('slow')).toMatchObject({ result: {} });
  });
});

describe('a request that makes no sense', () => {
  let wire: Wire;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ wire, stop } = await startShared());
  });
  afterAll(() => stop());

  it('with an unknown method is refused', async () => {
    const { error } = await wire.request('memories/forget_everything');

    expect(error).toMatchObject({ code: -32601, message: 'Method not found' });
    await expectPing(wire);
  });

  it.each([
    ['no name', {}],
    ['arguments in a list', { name: 'add_memory', arguments: [1] }],
    ['a name that is a number', { name: 5, arguments: {} }],
    ['a name of a hundred thousand characters', { name: 'x'.repeat(100_000), arguments: {} }],
    ['a name from the prototype', { name: 'constructor', arguments: {} }],
  ])('with %s is refused as invalid', async (_, params) => {
    const { error } = await wire.request('tools/call', params);

    expect(error?.code).toBe(-32602);
    expect(error?.message.length).toBeLessThan(2000);
    await expectPing(wire);
  });

  it.each([
    ['JSON that ends too early', '{"jsonrpc":"2.0","id":1,"method":"ping"'],
    ['no JSON at all', 'GET / HTTP/1.1'],
    ['a number', '42'],
    ['null', 'null'],
    ['an empty object', '{}'],
    ['an empty list', '[]'],
    ['a batch', '[{"jsonrpc":"2.0","id":5,"method":"ping"}]'],
    ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":9,"method":"ping"}'],
    ['an id of null', '{"jsonrpc":"2.0","id":null,"method":"ping"}'],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}'],
    ['an answer to nothing', '{"jsonrpc":"2.0","id":77,"result":{}}'],
    ['bytes that are no text', '\u0000\u0001\u0002\uFFFD'],
  ])('as a line of %s does not disturb the next one', async (_, line) => {
    wire.write(`${line}\n`);

    await expectPing(wire);
    expectPure(wire);
  });

  it.each([
    ['ping', { params: null }],
    ['tools/list', { params: null }],
    ['prompts/list', { params: { cursor: null } }],
    ['resources/list', { params: { _meta: null } }],
    ['tools/call', { params: { name: 'list_events', arguments: null } }],
  ])('%s with %j is read as without it', async (method, rest) => {
    wire.send({ id: `null in ${method}`, method, ...rest });

    const { error, result } = await wire.answerTo(`null in ${method}`);

    expect(error).toBeUndefined();
    expect(result).toBeDefined();
  });

  it.each([
    ['{"id":"no version","method":"ping"}', 'no version'],
    ['{"jsonrpc":"1.0","id":"old","method":"ping"}', 'old'],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 1.5],
    ['{"jsonrpc":"2.0","id":"bad params","method":"ping","params":[1]}', 'bad params'],
    ['{"jsonrpc":"2.0","id":"no method"}', 'no method'],
  ])('that is wrong is refused under its id: %s', async (line, id) => {
    wire.write(`${line}\n`);

    const { error } = await wire.answerTo(id);

    expect(error).toMatchObject({ code: -32600 });
  });

  it('in a batch is refused with a reason, in the response and in one line on stderr', async () => {
    const wire = await startInitialized();

    wire.write('[{"jsonrpc":"2.0","id":5,"method":"ping"}]\n');
    await expectPing(wire);

    const says = 'a line must hold one JSON-RPC 2.0 message; this one is ignored';
    expect(JSON.parse(wire.lines[1] ?? '')).toMatchObject({
      error: { code: -32600, message: says },
    });
    expect(wire.stderr().trim().split('\n')).toEqual([expect.stringContaining(says)]);
  });

  it('of 11 MB is refused with the limit, and the connection ends', async () => {
    const wire = await startInitialized();

    const params = { name: 'add_memory', arguments: { text: 'x'.repeat(11_000_000) } };
    wire.send({ id: 'huge', method: 'tools/call', params });
    const { code } = await wire.exited;

    expect(code).toBe(0);
    expectPure(wire);
    expect(wire.lines.at(-1)).toContain('a message may hold at most 10485760 bytes');
  });

  it('of 9 MB reaches the tool', async () => {
    const wire = await startInitialized();

    const added = await callOverWire(wire, 'add_memory', { text: 'x'.repeat(9_000_000) });

    expect(added.isError).toBe(true);
    expect(added.content[0]?.text).toContain('at most 32000');
    await expectPing(wire);
  });
});

describe('stdout contains nothing but JSON-RPC', () => {
  it('while the log is most verbose and Node warns', async () => {
    const env = { MNEME_LOG_LEVEL: 'info', NODE_OPTIONS: '--trace-warnings', NODE_DEBUG: 'module' };
    const wire = startWire({ data_dir: await makeFolder(), env });

    await shakeHands(wire);
    await callOverWire(wire, 'add_memory', { text: 'I like tea', infer: true });
    wire.write('no json\n[]\n');
    await expectPing(wire);
    wire.end();

    expect((await wire.exited).code).toBe(0);
    expectPure(wire);
  });

  it('and nothing at all when the configuration is wrong', async () => {
    const env = { MNEME_ADD_WAIT_MS: 'soon', MNEME_LOG_LEVEL: 'loud', MNEME_COLOUR: 'red' };

    const { code, wire } = await runProgram({ data_dir: await makeFolder(), env });

    expect(code).toBe(2);
    expect(wire.lines).toEqual([]);
    expect(wire.stderr()).toContain('environment MNEME_ADD_WAIT_MS: "soon" is not a whole number');
    expect(wire.stderr()).toContain('environment MNEME_LOG_LEVEL: "loud" is not one of');
    expect(wire.stderr()).toContain('environment MNEME_COLOUR: is not an option');
    expect(wire.stderr()).not.toMatch(stackFrame);
  });

  it('while the store cannot be opened', async () => {
    const folder = await makeFolder();
    writeFileSync(join(folder, 'taken'), 'a file where the folder should be');
    const data_dir = join(folder, 'taken');
    const wire = startWire({ data_dir, env: { HOME: folder, XDG_CONFIG_HOME: folder } });

    const { result } = await shakeHands(wire);
    const refused = await callOverWire(wire, 'add_memory', { text: 'Likes tea' });
    wire.end();

    expect((await wire.exited).code).toBe(0);
    expectPure(wire);
    expect(result).toMatchObject({ serverInfo: { name: 'mneme' } });
    expect(refused.isError).toBe(true);
    expect(refused.structuredContent.error).toMatchObject({ code: 'unavailable' });
    expect(wire.stderr()).toContain('choose another data folder');
    expect(wire.stderr()).not.toMatch(stackFrame);
  });

  it('and the server opens the store once the reason is gone, without a restart', async () => {
    const folder = await makeFolder();
    const data_dir = join(folder, 'later');
    writeFileSync(data_dir, '');
    const wire = startWire({ data_dir, env: { HOME: folder, XDG_CONFIG_HOME: folder } });
    await shakeHands(wire);
    const refused = await callOverWire(wire, 'add_memory', { text: 'Likes tea' });

    rmSync(data_dir);
    mkdirSync(data_dir);
    const added = await callOverWire(wire, 'add_memory', { text: 'Likes tea' });

    expect(refused.isError).toBe(true);
    expect(added.structuredContent).toMatchObject({ status: 'SUCCEEDED' });
  });
});

it('a server whose log nobody reads any more continues', async () => {
  const wire = await startInitialized();
  wire.closeLog();

  for (let line = 0; line < 5; line += 1) {
    wire.write('[]\n');
    await expectPing(wire);
  }
  wire.end();

  expect(await wire.exited).toEqual({ code: 0, signal: null });
});

const stackFrame = /^\s+at \S+/m;

async function startInitialized(): Promise<Wire> {
  const wire = startWire({ data_dir: await makeFolder() });
  await shakeHands(wire);
  return wire;
}

async function expectPing(wire: Wire): Promise<void> {
  expect(await wire.request('ping')).toMatchObject({ result: {} });
}

/** Every line is one JSON-RPC response. */
function expectPure({ lines }: Wire): void {
  for (const line of lines) {
    const message: unknown = JSON.parse(line);
    expect(message).toMatchObject({ jsonrpc: '2.0' });
    expect(message).toSatisfy(
      (answer: object) => 'result' in answer !== 'error' in answer,
      'an answer holds a result or an error',
    );
  }
}
