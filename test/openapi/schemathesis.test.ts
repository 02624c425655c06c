import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findPythonPackages } from '../../scripts/python-packages.mjs';
import { type Server, startServer } from '../clients/server.ts';
import { ownerKey } from '../e2e/service.ts';
import { rounds, seed, timeFor } from '../support/rounds.ts';

/** Requests in all, about: at night, with those at the edges of every schema, 20,000. */
const isNight = rounds >= 20;

/** Of each operation, besides sequences of several. */
const examples = isNight ? 95 : 9;
const phases = isNight ? 'coverage,fuzzing,stateful' : 'fuzzing,stateful';
const requestsMin = isNight ? 20_000 : 1_000;

/**
 * What schemas can't say: more inputs are tolerated than they describe, and fields may exclude each
 * other. rest/generated.test.ts looks at both.
 */
const notHeld = ['negative_data_rejection', 'positive_data_acceptance'];

/** What schemathesis reports of a run, as far as it is read here. */
type Report = {
  operations: { total: number; tested: number };
  test_cases: { generated: number };
  failures: { title: string; operations: string[] }[];
  errors: unknown[];
};

const requirements = 'test/openapi/packages/requirements.txt';
const found = await findPythonPackages('schemathesis', requirements);
if ('problem' in found) process.stderr.write(`SKIPPED: schemathesis: ${found.problem}\n`);

describe.skipIf('problem' in found)('requests that schemathesis makes of /openapi.json', () => {
  let server: Server;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mneme-schemathesis-'));
    // It also creates webhooks.
    const guard = pathToFileURL(resolve('test/clients/only-loopback.mjs')).href;
    server = await startServer({}, { NODE_OPTIONS: `--import ${guard}` });
  }, timeFor(120_000));
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('never fail, and are answered as the document says', {
    timeout: timeFor(600_000),
  }, async () => {
    const { code, told, report } = await runOn(server);

    process.stderr.write(`seed ${seed}: ${report.test_cases.generated} requests\n`);
    expect(report.failures, told).toEqual([]);
    expect(report.errors, told).toEqual([]);
    expect(code, told).toBe(0);
    expect(report.operations.tested).toBe(report.operations.total);
    expect(report.test_cases.generated).toBeGreaterThan(requestsMin);
    expect((await server.send('GET', '/readyz')).status).toBe(200);
  });

  async function runOn({ url }: Server): Promise<{ code: number; told: string; report: Report }> {
    const path = join(folder, 'report.json');
    const args = [
      'run',
      `${url}/openapi.json`,
      '--header',
      `Authorization: Token ${ownerKey}`,
      '--phases',
      phases,
      '--max-examples',
      `${examples}`,
      '--seed',
      `${seed}`,
      '--checks',
      'all',
      '--exclude-checks',
      notHeld.join(','),
      '--continue-on-failure',
      // They measure time.
      '--suppress-health-check',
      'all',
      '--generation-database',
      'none',
      '--no-shrink',
      '--no-color',
      '--warnings',
      'off',
      '--report',
      'json',
      '--report-json-path',
      path,
    ];
    const { code, told } = await outputOf(args);
    return { code, told, report: JSON.parse(readFileSync(path, 'utf8')) };
  }

  /** The exit code, and what is said about failures. */
  async function outputOf(args: string[]): Promise<{ code: number; told: string }> {
    if ('problem' in found) throw new Error(found.problem);
    const child = spawn('python3', ['-m', 'schemathesis.cli', ...args], {
      cwd: folder,
      env: { ...process.env, PYTHONPATH: found.folder, PYTHONDONTWRITEBYTECODE: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    // Also after a test that took too long: the server waits for the requests under way.
    onTestFinished(() => void child.kill('SIGKILL'));
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (more) => {
      text += more;
    });
    const code = await new Promise<number>((end, fail) => {
      child.on('error', fail).on('close', (status) => end(status ?? 1));
    });
    const lines = text.split('\n').map((line) => line.slice(0, 500));
    return { code, told: lines.slice(-200).join('\n') };
  }
});
