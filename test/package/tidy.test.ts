import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** The budgets of the project's style. */
const columnsMax = 100;
const functionLinesMax = 50;
const fileLinesMax = 300;
/** Contract tables and tests are lists: long, but read one entry at a time. */
const listLinesMax = 600;
const parametersMax = 3;

const sources = parse('src');
const tests = parse('test');

describe('sources', () => {
  it(`have lines of at most ${columnsMax} columns`, () => {
    const long = sources.flatMap((file) =>
      linesOf(file).flatMap((line, index) =>
        line.length > columnsMax ? [`${file.fileName}:${index + 1} has ${line.length}`] : [],
      ),
    );

    expect(long).toEqual([]);
  });

  it(`have functions of at most ${functionLinesMax} lines`, () => {
    const long = find(sources, (node, file) => {
      if (!ts.isFunctionLike(node) || !('body' in node && node.body)) return null;
      const lines = lineOf(file, node.end) - lineOf(file, node.getStart(file)) + 1;
      return lines > functionLinesMax ? `has ${lines} lines` : null;
    });

    expect(long).toEqual([]);
  });

  it(`have functions of at most ${parametersMax} parameters`, () => {
    const wide = find(sources, (node) => {
      if (!ts.isFunctionLike(node) || node.parameters.length <= parametersMax) return null;
      return `has ${node.parameters.length} parameters; use an options object`;
    });

    expect(wide).toEqual([]);
  });

  it('have no `any`', () => {
    const found = find(sources, (node) =>
      node.kind === ts.SyntaxKind.AnyKeyword ? 'says any' : null,
    );

    expect(found).toEqual([]);
  });

  it('have no `!` that hides an absent value', () => {
    const found = find(sources, (node) =>
      ts.isNonNullExpression(node) || ('exclamationToken' in node && node.exclamationToken)
        ? 'says !'
        : null,
    );

    expect(found).toEqual([]);
  });

  it('have no work left to do', () => {
    const found = sources.flatMap((file) =>
      linesOf(file).flatMap((line, index) =>
        /\b(TODO|FIXME)\b/.test(line) ? [`${file.fileName}:${index + 1} ${line.trim()}`] : [],
      ),
    );

    expect(found).toEqual([]);
  });

  it('read the environment in one file only', () => {
    const found = find(sources, (node, file) => {
      if (file.fileName === 'src/config/environment.ts') return null;
      if (ts.isPropertyAccessExpression(node)) {
        return node.getText(file) === 'process.env' ? 'reads process.env' : null;
      }
      if (!ts.isImportDeclaration(node)) return null;
      return /\benv\b.*\bprocess\b/.test(node.getText(file)) ? 'imports env' : null;
    });

    expect(found).toEqual([]);
  });

  it('use the console in src/log.ts only: stdout belongs to MCP', () => {
    const found = find(sources, (node, file) =>
      file.fileName !== 'src/log.ts' && ts.isIdentifier(node) && node.text === 'console'
        ? 'uses console'
        : null,
    );

    expect(found).toEqual([]);
  });
});

it(`files have at most ${fileLinesMax} lines that are not blank, lists ${listLinesMax}`, () => {
  const written = [...sources, ...tests].filter(({ text }) => !text.startsWith('// Generated'));
  const long = written.flatMap((file) => {
    const lines = linesOf(file).filter((line) => line.trim()).length;
    const isList = /^(src\/contract\/operations|test)\//.test(file.fileName);
    const max = isList ? listLinesMax : fileLinesMax;
    return lines > max ? [`${file.fileName}:1 has ${lines} lines that are not blank`] : [];
  });

  expect(long).toEqual([]);
});

function parse(folder: string): ts.SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => {
      const path = `${folder}/${name.replaceAll('\\', '/')}`;
      return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
    });
}

/** Every node about which the rule has something to say, as `file:line what`. */
function find(
  files: ts.SourceFile[],
  rule: (node: ts.Node, file: ts.SourceFile) => string | null,
): string[] {
  const found: string[] = [];
  for (const file of files) {
    const visit = (node: ts.Node) => {
      const what = rule(node, file);
      if (what) found.push(`${file.fileName}:${lineOf(file, node.getStart(file))} ${what}`);
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return found;
}

function linesOf(file: ts.SourceFile): string[] {
  return file.text.split('\n');
}

function lineOf(file: ts.SourceFile, position: number): number {
  return file.getLineAndCharacterOfPosition(position).line + 1;
}
