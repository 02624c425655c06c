import { resolve } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

// A spread may carry fields that the target does not have, and optional ones may be missing: the
// compiler sees neither a misspelt field nor one that was renamed on one side. The store passes
// queries on by spreads, so its own fields are compared here.

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile('tsconfig.json', ts.sys.readFile).config,
  ts.sys,
  '.',
);
const program = ts.createProgram(ts.sys.readDirectory(resolve('src/storage'), ['.ts']), options);
const checker = program.getTypeChecker();
const sources = program
  .getSourceFiles()
  .filter(({ fileName }) => fileName.includes('/src/storage/') && !fileName.endsWith('.d.ts'));

it('a spread drops no field that callers may give', () => {
  const dropped = literalsOf(sources).flatMap((literal) => {
    const target = checker.getContextualType(literal);
    if (!isKnownObject(target)) return [];
    return spreadFields(literal)
      .filter(({ flags, name }) => flags & ts.SymbolFlags.Optional && !target.getProperty(name))
      .map(({ name }) => `${placeOf(literal)} drops ${name}`);
  });

  expect(dropped).toEqual([]);
});

it('each optional field of a type that one file keeps to itself is written somewhere', () => {
  const written = new Set<ts.Node>();
  const named = new Set<string>();
  for (const literal of literalsOf(sources)) {
    const target = checker.getContextualType(literal);
    for (const name of writtenNames(literal)) {
      const field = target && fieldOf(target, name);
      for (const declaration of field?.declarations ?? []) written.add(declaration);
      // The literal becomes a variable first, whose type says nothing about where it goes.
      if (!field) named.add(`${literal.getSourceFile().fileName} ${name}`);
    }
  }

  const unwritten = nodesOf(sources)
    .filter((node) => ts.isPropertySignature(node) && node.questionToken !== undefined)
    .filter(({ parent }) => !isExported(parent) && !isPattern(parent))
    .filter((field) => !written.has(field))
    .map((field) => ({ field, name: ts.isPropertySignature(field) ? field.name.getText() : '' }))
    .filter(({ field, name }) => !named.has(`${field.getSourceFile().fileName} ${name}`))
    .map(({ field, name }) => `${placeOf(field)} ${name}`);

  expect(unwritten).toEqual([]);
});

function nodesOf(files: readonly ts.SourceFile[]): ts.Node[] {
  const withChildren = (node: ts.Node): ts.Node[] => {
    const children: ts.Node[] = [];
    ts.forEachChild(node, (child) => void children.push(child));
    return [node, ...children.flatMap(withChildren)];
  };
  return files.flatMap(withChildren);
}

function literalsOf(files: readonly ts.SourceFile[]): ts.ObjectLiteralExpression[] {
  return nodesOf(files).filter(ts.isObjectLiteralExpression);
}

function isKnownObject(type: ts.Type | undefined): type is ts.Type {
  if (type === undefined || type.isUnion()) return false;
  return type.getProperties().length > 0 && checker.getIndexInfosOfType(type).length === 0;
}

function spreadFields(literal: ts.ObjectLiteralExpression): ts.Symbol[] {
  return literal.properties
    .filter(ts.isSpreadAssignment)
    .map(({ expression }) => checker.getTypeAtLocation(expression))
    .flatMap((type) => (type.isUnion() ? type.types : [type]))
    .flatMap((type) => type.getProperties());
}

function writtenNames(literal: ts.ObjectLiteralExpression): string[] {
  const named = literal.properties.flatMap(({ name }) => (name ? [name.getText()] : []));
  return [...named, ...spreadFields(literal).map(({ name }) => name)];
}

function fieldOf(type: ts.Type, name: string): ts.Symbol | undefined {
  const types = type.isUnion() ? type.types : [type];
  return types.map((one) => one.getProperty(name)).find((field) => field !== undefined);
}

function isExported(node: ts.Node): boolean {
  if (!ts.isSourceFile(node.parent)) return isExported(node.parent);
  if (!ts.canHaveModifiers(node)) return false;
  const modifiers = ts.getModifiers(node) ?? [];
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

/** Whether it is what a conditional type is compared with, which no value has. */
function isPattern({ parent }: ts.Node): boolean {
  return ts.isConditionalTypeNode(parent);
}

function placeOf(node: ts.Node): string {
  const file = node.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(node.getStart());
  return `${file.fileName.slice(file.fileName.indexOf('src/storage/'))}:${line + 1}`;
}
