import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** The budgets of the project's style. */
const columnsMax = 100;
const functionLinesMax = 50;
const fileLinesMax = 300;
/** The tables of operations and commands, and tests, are lists: read one entry at a time. */
const listLinesMax = 600;
const parametersMax = 3;
/** What a reader of a folder can hold in mind. */
const folderFilesMax = 25;
/** One word, pattern or address that long stays whole: broken in two it can't be searched for. */
const longLiteralMin = 60;

/** What has time as its input; the other tests wait for conditions. */
const pausing = [
  'test/bench/', // programs that measure
  'test/conformance/fixtures/tools.ts', // a tool whose messages come one by one
  'test/deploy/proxy.ts', // looks for servers that are ready, at intervals
  'test/e2e/service.ts', // `until`, which looks again after a moment
  'test/e2e/time-kill.test.ts', // the moment of a kill, which nothing else shows
  'test/postgres/pgbouncer.test.ts', // nothing happens in this time
  'test/postgres/proxy.ts', // a database that commits late
  'test/storage/child.ts', // a worker that looks again after a moment
  'test/support/model-hub.ts', // a hub that cuts off what was read
  'test/support/pause.ts',
];

const sources = parse('src');
const tests = parse('test');

describe('sources', () => {
  it(`have lines of at most ${columnsMax} columns`, () => {
    const long = sources
      .filter(isWritten)
      .flatMap((file) =>
        linesOf(file).flatMap((line, index) =>
          line.length > columnsMax && !holdsLongLiteral(file, index)
            ? [`${file.fileName}:${index + 1} has ${line.length}`]
            : [],
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
      if (!ts.isFunctionLike(node)) return null;
      // A statement runs on a connection, which its callers do not pass.
      const [first] = node.parameters;
      const isStatement = [first?.name.getText(), first?.type?.getText()].some((one) =>
        ['at', 'DbContext'].includes(one ?? ''),
      );
      const count = node.parameters.length - (isStatement ? 1 : 0);
      return count <= parametersMax ? null : `has ${count} parameters; use an options object`;
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

  it('break no word inside a text, so that it can be searched for', () => {
    const broken = find(sources, (node) => {
      if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) {
        return null;
      }
      const [before, after] = [textOf(lastOf(node.left)), textOf(node.right)];
      return /\w$/.test(before) && /^\w/.test(after) ? `breaks ${before}|${after}` : null;
    });

    expect(broken).toEqual([]);
  });

  it('declare each exported name and each type once, so that a name says which', () => {
    const homes = new Map<string, string[]>();
    for (const file of sources) {
      for (const name of tellingNames(file)) {
        homes.set(name, [...(homes.get(name) ?? []), file.fileName]);
      }
    }
    // Each command exports `run`: its name is that of its file.
    homes.delete('run');

    expect([...homes].filter(([, files]) => files.length > 1)).toEqual([]);
  });

  it(`are in folders of at most ${folderFilesMax} files`, () => {
    const sizes = new Map<string, number>();
    for (const { fileName } of sources) {
      const folder = dirname(fileName);
      sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
    }

    expect([...sizes].filter(([, size]) => size > folderFilesMax)).toEqual([]);
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

it('nothing is spread for the sake of a column count', () => {
  const spread = find([...sources, ...tests], (node) => {
    if (!ts.isSpreadAssignment(node) && !ts.isSpreadElement(node)) return null;
    const literal = withoutType(node.expression);
    return ts.isObjectLiteralExpression(literal) || ts.isArrayLiteralExpression(literal)
      ? 'spreads a literal'
      : null;
  });

  expect(spread).toEqual([]);
});

it(`files have at most ${fileLinesMax} lines that are not blank, lists ${listLinesMax}`, () => {
  const written = [...sources, ...tests].filter(isWritten);
  const long = written.flatMap((file) => {
    const lines = linesOf(file).filter((line) => line.trim()).length;
    const isList = /^(src\/contract\/operations\/|src\/cli\/.*\/command-table\.ts|test\/)/.test(
      file.fileName,
    );
    const max = isList ? listLinesMax : fileLinesMax;
    return lines > max ? [`${file.fileName}:1 has ${lines} lines that are not blank`] : [];
  });

  expect(long).toEqual([]);
});

it('tests wait for conditions, not for time', () => {
  const sleeping = find(tests, (node, file) => {
    if (pausing.some((place) => file.fileName.startsWith(place))) return null;
    if (ts.isIdentifier(node) && /^(setTimeout|waitForTimeout|scheduler)$/.test(node.text)) {
      return `uses ${node.text}`;
    }
    const imported = ts.isImportDeclaration(node) ? textOf(node.moduleSpecifier) : '';
    return imported.endsWith('/pause.ts') ? 'imports pause' : null;
  });

  expect(sleeping).toEqual([]);
});

it('helpers of tests stand before the first test or after the last', () => {
  const between = tests.flatMap((file) => {
    const isTest = file.statements.map(startsTest);
    const last = isTest.lastIndexOf(true);
    return file.statements
      .slice(0, last + 1)
      .filter((_, index) => !isTest[index] && isTest.indexOf(true) < index)
      .map((helper) => `${file.fileName}:${lineOf(file, helper.getStart(file))}`);
  });

  expect(between).toEqual([]);
});

/** `describe(...)`, `it.each(...)(...)`, also after an `if`. */
function startsTest(statement: ts.Statement): boolean {
  if (ts.isIfStatement(statement)) return startsTest(statement.thenStatement);
  return ts.isExpressionStatement(statement) && /^(describe|it)\b/.test(statement.getText());
}

function isWritten({ text }: ts.SourceFile): boolean {
  return !text.startsWith('// Generated');
}

function parse(folder: string): ts.SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => {
      const path = `${folder}/${name.replaceAll('\\', '/')}`;
      return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
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

/**
 * Names of types, and of all that is exported. A component is named after what it shows, and is told
 * from it by its use: `<Memories>`.
 */
function tellingNames(file: ts.SourceFile): string[] {
  const names = file.statements.flatMap((statement) => {
    const isType = ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement);
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported && !isType) return [];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.map(({ name }) => name.getText(file));
    }
    const isNamed =
      isType || ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
    if (!isNamed || !statement.name) return [];
    const { text } = statement.name;
    return file.fileName.endsWith('.tsx') && !isType ? [`<${text}>`] : [text];
  });
  // A schema and its type share a name, and so do the shapes of one overloaded function.
  return [...new Set(names)];
}

function holdsLongLiteral(file: ts.SourceFile, line: number): boolean {
  const isLong = (node: ts.Node): boolean =>
    (ts.isStringLiteralLike(node) ||
      ts.isTemplateExpression(node) ||
      ts.isRegularExpressionLiteral(node)) &&
    node.end - node.getStart(file) >= longLiteralMin &&
    lineOf(file, node.getStart(file)) <= line + 1 &&
    line + 1 <= lineOf(file, node.end);
  const search = (node: ts.Node): boolean =>
    isLong(node) || (ts.forEachChild(node, (child) => search(child) || undefined) ?? false);
  return search(file);
}

/** What `(value as Type)` and `(value satisfies Type)` say something about. */
function withoutType(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node)
    ? withoutType(node.expression)
    : node;
}

/** The operand that stands right before the last plus. */
function lastOf(node: ts.Expression): ts.Expression {
  return ts.isBinaryExpression(node) ? node.right : node;
}

/** What a text begins and ends with; nothing for anything else. */
function textOf(node: ts.Expression): string {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)
    ? node.getText().slice(1, -1)
    : '';
}
