import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { installPackages, installTimeoutMs } from '../support/packages.ts';

const target = '.build/deploy';

/** The modules with the types of each kind. */
const modules: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  PodDisruptionBudget: 'policy/v1',
  Secret: 'core/v1',
  Service: 'core/v1',
};

const service = manifest('service');
const manifests: Readonly<Record<string, Manifest>> = {
  deployment: manifest('deployment'),
  disruption: manifest('disruption'),
  secret: manifest('secret.example'),
  service,
  misspelled: { ...service, spec: { selectors: {}, ports: [{ port: 80 }] } },
  mistyped: { ...service, spec: { ports: [{ port: '80' }] } },
};

let problems: Record<string, string[]>;

beforeAll(async () => {
  await installPackages({ source: 'test/deploy/packages', target });
  problems = problemsOf(manifests);
}, installTimeoutMs);

describe('the manifests', () => {
  it.each(['deployment', 'disruption', 'secret', 'service'])(
    'have only fields of the Kubernetes types: %s',
    (name) => {
      expect(problems[name]).toEqual([]);
    },
  );

  it.each([
    ['misspelled', "does not exist in type 'ServiceSpec'"],
    ['mistyped', "Type 'string' is not assignable to type 'number'"],
  ])('fail the check if a field is %s', (name, problem) => {
    expect(problems[name]).toEqual([expect.stringContaining(problem)]);
  });
});

type Manifest = { kind: string; [field: string]: unknown };

function manifest(name: string): Manifest {
  return parse(readFileSync(`deploy/kubernetes/${name}.yaml`, 'utf8'), { merge: true });
}

/** What TypeScript says of manifests that are written as literals of their types, by their names. */
function problemsOf(all: Readonly<Record<string, Manifest>>): Record<string, string[]> {
  const folder = resolve(target, `check-${process.pid}`);
  mkdirSync(folder);
  try {
    const paths = Object.entries(all).map(([name, { kind, ...rest }]) => {
      const path = join(folder, `${name}.ts`);
      const type = `import('kubernetes-types/${modules[kind]}').${kind}`;
      const literal = JSON.stringify({ kind, ...rest });
      writeFileSync(path, `export const manifest: ${type} = ${literal};`);
      return path;
    });
    const program = ts.createProgram(paths, { ...options, lib: ['lib.es5.d.ts'] });
    return Object.fromEntries(paths.map((path) => [basename(path, '.ts'), found(program, path)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const options: ts.CompilerOptions = {
  strict: true,
  types: [],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
};

function found(program: ts.Program, path: string): string[] {
  const source = program.getSourceFile(path);
  return [
    ...program.getSyntacticDiagnostics(source),
    ...program.getSemanticDiagnostics(source),
  ].map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}
