import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownerKey } from '../e2e/service.ts';
import { installTimeoutMs } from '../support/packages.ts';
import { type Started, startServed } from './product-server.ts';
import { findNode, installed, installSuite, runMaxMs } from './suite.ts';

const eras = ['legacy', 'modern'] as const;
const faces = ['stdio', 'http'] as const;
const cases = faces.flatMap((face) => eras.map((era) => [face, era] as const));

let folder: string;
let served: Started;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mneme-inspector-'));
  await installSuite();
  served = await startServed();
}, installTimeoutMs);

afterAll(async () => {
  await served?.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Runs the inspector's command line as a person does; it ends with an error when a call fails. */
function inspectorFor(face: (typeof faces)[number], era: (typeof eras)[number]) {
  const program = installed('@modelcontextprotocol/inspector', 'clients/launcher/build/index.js');
  const data_dir = join(folder, `${face}-${era}`);
  const target = {
    stdio: ['-e', `MNEME_DATA_DIR=${data_dir}`, '--', process.execPath, resolve('dist/cli.js')],
    http: ['--header', `Authorization: Token ${ownerKey}`, '--', `${served.url}/mcp`],
  };
  return async (method: string, flags: readonly string[] = []) => {
    const args = ['--cli', '--protocol-era', era, '--method', method, ...flags, ...target[face]];
    const { stdout, stderr } = await promisify(execFile)(findNode(), [program, ...args], {
      env: { ...process.env, HOME: folder, USERPROFILE: folder },
      timeout: runMaxMs,
      maxBuffer: 16 * 1024 * 1024,
    });
    return { answer: JSON.parse(stdout), notes: stderr };
  };
}

describe.each(cases)("the inspector's command line over %s, %s era", (face, era) => {
  it('finds no tool whose schema a client could not read', { timeout: runMaxMs }, async () => {
    const { answer, notes } = await inspectorFor(face, era)('tools/list', ['--strict']);

    const names = answer.tools.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['add_memory', 'search_memories']));
    expect(notes).toMatch(/\b0 errors\b/);
  });

  it('stores a memory and finds it', { timeout: 2 * runMaxMs }, async () => {
    const inspect = inspectorFor(face, era);
    const memory = `Drinks ${era} tea over ${face}`;
    const scope = ['--tool-arg', 'user_id=sam'];
    const call = (name: string, ...args: string[]) =>
      inspect('tools/call', ['--tool-name', name, '--tool-arg', ...args, ...scope]);

    const added = await call('add_memory', `text=${memory}`);
    const found = await call('search_memories', `query=${era} tea over ${face}`);

    expect(added.answer.structuredContent).toMatchObject({ status: 'SUCCEEDED' });
    expect(found.answer.structuredContent.results[0]).toMatchObject({ memory });
  });

  it('lists and gets prompts and resources', { timeout: 3 * runMaxMs }, async () => {
    const inspect = inspectorFor(face, era);
    const { answer: prompts } = await inspect('prompts/list');
    const [first] = prompts.prompts;
    const { answer: templates } = await inspect('resources/templates/list');

    expect(first.name).toEqual(expect.any(String));
    expect(templates.resourceTemplates.length).toBeGreaterThan(0);
  });
});
