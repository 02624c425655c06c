import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const imports = readImports('src');
const folders = new Set([...imports.keys()].flatMap(foldersAround));

it.each([...folders])('%s can be read from the bottom up', (folder) => {
  expect(findCycle(importsOfParts(folder))).toEqual([]);
});

/** What each file imports of src, types as well. */
function readImports(root: string): Map<string, string[]> {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(root, name));
  return new Map(
    files.map((file) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'));
      const ours = importedFiles.filter(({ fileName }) => fileName.startsWith('.'));
      return [file, ours.map(({ fileName }) => join(dirname(file), fileName))];
    }),
  );
}

function foldersAround(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersAround(folder)];
}

/**
 * What the parts of a folder import of each other. A part is a file, or a folder with all that is
 * beneath it, or both: `contract.ts` and what it is made of in `contract/`.
 */
function importsOfParts(folder: string): Map<string, Set<string>> {
  const parts = new Map<string, Set<string>>();
  for (const [file, imported] of imports) {
    const part = partOf(folder, file);
    if (part === null) continue;
    const others = parts.get(part) ?? new Set();
    for (const other of imported.map((path) => partOf(folder, path))) {
      if (other !== null && other !== part) others.add(other);
    }
    parts.set(part, others);
  }
  return parts;
}

function partOf(folder: string, path: string): string | null {
  const [name = '..'] = relative(folder, path).split(sep);
  return name === '..' ? null : name.replace(/\.tsx?$/, '');
}

/** The parts that import each other, and those between them. */
function findCycle(parts: Map<string, Set<string>>): string[] {
  const rest = new Map(parts);
  const isEnd = (part: string) =>
    ![...(rest.get(part) ?? [])].some((other) => rest.has(other)) ||
    ![...rest.values()].some((others) => others.has(part));
  for (;;) {
    const end = [...rest.keys()].find(isEnd);
    if (end === undefined) return [...rest.keys()].sort();
    rest.delete(end);
  }
}
