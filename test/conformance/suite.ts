import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { installPackages } from '../support/packages.ts';

/** The revisions of the protocol whose requirements are checked, one for each era. */
export const revisions = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

/** A check that a scenario made and that did not succeed. */
export type Finding = { id: string; status: 'FAILURE' | 'WARNING'; message: string };
/** What a run found, by scenario. */
export type Findings = Map<string, Finding[]>;

/** The suite runs on this version of Node.js and on later ones. */
const nodeMajor = 22;
const runsHere = Number.parseInt(process.versions.node, 10) >= nodeMajor;

const source = 'test/conformance/packages';
const target = runsHere ? '.build/conformance' : `.build/conformance-node-${nodeMajor}`;
const suite = installed('@modelcontextprotocol/conformance');

/** A run takes seconds. A server that hangs must not hold up what comes after it. */
export const runMaxMs = 90_000;
const scenarioMaxMs = 15_000;

/** The path of a package that `installSuite` installs, or of a file in it. */
export function installed(name: string, file = ''): string {
  return resolve(target, 'node_modules', name, file);
}

/** Installs suite and inspector, and a Node.js that can run them where this one can't. */
export function installSuite(): Promise<void> {
  const flags = runsHere ? ['--omit=optional'] : [];
  return installPackages({ source, target, flags });
}

/** The scenarios that a server of this revision has to pass. */
function requiredBy(revision: Revision): string[] {
  const requirements = parse(readFileSync(join(suite, `requirements/${revision}.yaml`), 'utf8'));
  return requirements.server;
}

/** Runs the scenarios that a revision requires of the server at this address. */
export async function runSuite(url: string, revision: Revision): Promise<Findings> {
  const results = await mkdtemp(join(tmpdir(), 'mneme-conformance-'));
  try {
    const what = ['--url', url, '--requirements', revision, '--timeout', String(scenarioMaxMs)];
    const said = await run(['server', ...what, '--output-dir', results]);
    const found = readFindings(results);
    const required = requiredBy(revision);
    const missing = required.filter((scenario) => !found.has(scenario));
    if (missing.length > 0) throw new Error(`no result of ${missing.join(', ')}:\n${said}`);
    return new Map(required.map((scenario) => [scenario, found.get(scenario) ?? []]));
  } finally {
    await rm(results, { recursive: true, force: true });
  }
}

/** Answers all that the program printed. It ends with an error when a scenario fails: ours to judge. */
async function run(args: readonly string[]): Promise<string> {
  const child = spawn(findNode(), [join(suite, 'dist/index.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: runMaxMs,
  });
  let said = '';
  const hear = (text: string) => {
    said += text;
  };
  child.stdout.setEncoding('utf8').on('data', hear);
  child.stderr.setEncoding('utf8').on('data', hear);
  await once(child, 'close');
  return said;
}

/** A Node.js that can run what is installed. */
export function findNode(): string {
  if (runsHere) return process.execPath;
  const { optionalDependencies } = JSON.parse(readFileSync(`${source}/package.json`, 'utf8'));
  const found = Object.keys(optionalDependencies)
    .flatMap((name) => ['node', 'node.exe'].map((file) => [name, 'bin', file]))
    .map((path) => resolve(target, 'node_modules', ...path))
    .find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new Error(`the suite needs Node.js ${nodeMajor}; none is packaged for this platform`);
}

/** Each scenario leaves a folder, named by it and by the time. */
function readFindings(results: string): Findings {
  return new Map(
    readdirSync(results).flatMap((folder): [string, Finding[]][] => {
      const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(folder) ?? [];
      if (scenario === undefined) return [];
      return [[scenario, findingsIn(readFileSync(join(results, folder, 'checks.json'), 'utf8'))]];
    }),
  );
}

function findingsIn(json: string): Finding[] {
  const checks: { id: string; status: string; errorMessage?: string }[] = JSON.parse(json);
  if (!checks.some(({ status }) => status === 'SUCCESS' || status === 'FAILURE')) {
    return [{ id: 'none', status: 'FAILURE', message: 'no check was made' }];
  }
  return checks.flatMap(({ id, status, errorMessage: message = '' }) =>
    status === 'FAILURE' || status === 'WARNING' ? [{ id, status, message }] : [],
  );
}
