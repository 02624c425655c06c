import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findPythonPackages } from '../../scripts/python-packages.mjs';
import { ownerKey } from '../e2e/service.ts';
import { type Server, startServer } from './server.ts';

const programs = 'examples/python';

/** The adapter needs an earlier version of the package mcp than everybody else. */
const needsAdapters = 'langchain_tools.py';
/** It needs a gigabyte. */
const byHand = 'crewai_memory.py';

const documents = ['docs/python.md', ...inFolder('docs/integrations')];
const frameworks = await findPythonPackages('python', 'test/clients/python/frameworks.txt');
const adapters = await findPythonPackages('adapters', 'test/clients/python/adapters.txt');
for (const found of [frameworks, adapters]) {
  if ('problem' in found) process.stderr.write(`SKIPPED: Python programs: ${found.problem}\n`);
}
/** Itself, not what starts one of several and looks for it in the user's folder. */
const which = spawnSync('python3', ['-c', 'import sys; print(sys.executable)']);
const interpreter = String(which.stdout).trim();
const guard = 'sitecustomize.py';

describe('a Python program of the documents', () => {
  let server: Server;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mneme-python-'));
    // In place of npm's, which would ask the registry for the package.
    const built = `exec '${process.execPath}' '${resolve('dist/cli.js')}'`;
    writeFileSync(join(folder, 'npx'), `#!/bin/sh\n${built}\n`, { mode: 0o755 });
    // Python compiles it beside itself.
    copyFileSync(join('test/clients/python', guard), join(folder, guard));
    server = await startServer();
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const name of readdirSync(programs).filter((name) => name !== byHand)) {
    const found = name === needsAdapters ? adapters : frameworks;
    it.skipIf('problem' in found)(`${name} prints what its document says`, async () => {
      const { told, problems } = await run([join(programs, name)], found);

      expect(told, problems).toBe(documentedOutput(name));
      expect(problems).not.toContain('refused a connection');
    });
  }

  it.skipIf('problem' in frameworks)('reaches no other machine', async () => {
    const call = 'import urllib.request as r; r.urlopen("http://mneme.invalid/")';

    const { problems } = await run(['-c', call], frameworks);

    expect(problems).toContain('refused a connection to mneme.invalid');
  });

  type Packages = Awaited<ReturnType<typeof findPythonPackages>>;

  async function run(args: string[], packages: Packages) {
    if ('problem' in packages) throw new Error(packages.problem);
    const child = spawn(interpreter, args, {
      env: {
        PATH: [folder, process.env.PATH].join(delimiter),
        HOME: folder,
        PYTHONPATH: [folder, packages.folder].join(delimiter),
        MEM0_HOST: server.url,
        MEM0_API_KEY: ownerKey,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [told, problems] = await Promise.all([child.stdout, child.stderr].map(textOf));
    return { told, problems };
  }
});

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const part of stream.setEncoding('utf8')) text += part;
  return text;
}

/** The block that follows the program. */
function documentedOutput(name: string): string {
  const texts = documents.map((path) => readFileSync(path, 'utf8'));
  const [, after] = texts.join('\n').split(`<!-- /generated:${name} -->`);
  const [, output] = /```text\n([\s\S]*?)```/.exec(after ?? '') ?? [];
  if (output === undefined) throw new Error(`no document says what ${name} prints`);
  return output;
}

function inFolder(folder: string): string[] {
  return readdirSync(folder).map((name) => join(folder, name));
}
