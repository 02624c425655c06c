// Prints zod schemas as TypeScript, the way a person would write the types.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import * as z from 'zod';

/**
 * Fields that share a name, and their description in the source: those of an object, or some that
 * several inputs share, which then have no schema.
 */
export type Noun = { name: string; shape: Shape; schema: z.ZodObject | null; about: string };

type Shape = Readonly<Record<string, z.ZodType>>;

/** One field of an object type, as text. */
export type Field = { type: string; optional: boolean; about: string };

/** The exports of `src/contract/schemas`. */
export async function nouns(): Promise<Noun[]> {
  const folder = 'src/contract/schemas';
  const files = readdirSync(folder).map((file) => file.replace(/\.ts$/, ''));
  const found = files.sort().map(async (file) => {
    const module: Record<string, unknown> = await import(`../src/contract/schemas/${file}.ts`);
    const comments = commentsIn(join(folder, `${file}.ts`));
    return Object.entries(module).flatMap(([name, value]): Noun[] => {
      const schema = objectIn(value);
      const shape: Shape | null = schema?.shape ?? (isShape(value) ? value : null);
      if (shape === null || (schema === null && hasSchema(module, shape))) return [];
      for (const [field, member] of Object.entries(shape)) {
        const about = comments.get(`${name}.${field}`);
        if (about !== undefined) fieldComments.set(member, about);
      }
      const named = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      return [{ name: named, shape, schema, about: comments.get(name) ?? '' }];
    });
  });
  return (await Promise.all(found)).flat();
}

/** The source comments of fields whose schema has no description. */
const fieldComments = new WeakMap<z.ZodType, string>();

/** The object schema, even inside a transformation of the input. */
function objectIn(value: unknown): z.ZodObject | null {
  if (value instanceof z.ZodObject) return value;
  return value instanceof z.ZodPipe ? objectIn(value.out) : null;
}

function isShape(value: unknown): value is Shape {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const members = Object.values(value);
  const schemas = members.filter((member) => member instanceof z.ZodType);
  return schemas.length === members.length && !schemas.every(isInternal);
}

/** Accepted, but not meant to be sent. */
function isInternal(field: z.ZodType): boolean {
  return field.meta()?.internal === true;
}

/** True if an object of the same module already has these fields under its name. */
function hasSchema(module: Record<string, unknown>, shape: Shape): boolean {
  const names = Object.keys(shape);
  return Object.values(module).some(
    (value) =>
      value instanceof z.ZodObject && names.every((name) => value.shape[name] === shape[name]),
  );
}

/** Doc comments of the constants in a file, and of the fields of their objects (`Memory.hash`). */
function commentsIn(path: string): Map<string, string> {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const comments = new Map<string, string>();
  const keep = (name: string, node: ts.Node) => {
    const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
    const text = ts.getTextOfJSDocComment(comment?.comment);
    if (text !== undefined) comments.set(name, text);
  };
  for (const { declaration, name } of file.statements.flatMap(constantsOf)) {
    keep(name, declaration);
    const visit = (node: ts.Node): void => {
      if (ts.isPropertyAssignment(node)) keep(`${name}.${node.name.getText()}`, node);
      else ts.forEachChild(node, visit);
    };
    visit(declaration);
  }
  return comments;
}

function constantsOf(statement: ts.Statement) {
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.map((declaration) => ({
    declaration,
    name: declaration.name.getText(),
  }));
}

/** Prints types that refer to the nouns by name. */
export function printer(known: readonly Noun[]) {
  const nameOf = (schema: z.core.$ZodType) =>
    known.find((noun) => noun.schema === schema)?.name ?? null;
  return { nameOf, type, declaration };

  function declaration(name: string, shape: Shape): string {
    const bases = basesOf(shape);
    const inherited = bases.flatMap((base) => Object.keys(base.shape));
    const own = Object.entries(fieldsOf(shape)).filter(([field]) => !inherited.includes(field));
    const names = bases.map((base) => base.name);
    if (own.length === 0) return `export type ${name} = ${names.join(' & ') || nothing};`;
    const heritage = names.length === 0 ? '' : ` extends ${names.join(', ')}`;
    return `export interface ${name}${heritage} {\n${documented(Object.fromEntries(own))}\n}`;
  }

  /** The nouns that are part of this one, larger first; no two share a field. */
  function basesOf(shape: Shape): Noun[] {
    const parts = known.filter((noun) => noun.shape !== shape && isPart(noun.shape, shape));
    const bases: Noun[] = [];
    for (const noun of parts.sort((a, b) => sizeOf(b.shape) - sizeOf(a.shape))) {
      const taken = bases.flatMap((base) => Object.keys(base.shape));
      if (!Object.keys(noun.shape).some((name) => taken.includes(name))) bases.push(noun);
    }
    return bases;
  }

  function fieldsOf(shape: Shape): Record<string, Field> {
    const shown = Object.entries(shape).filter(([, field]) => field.meta()?.internal !== true);
    return Object.fromEntries(shown.map(([name, field]) => [name, fieldOf(field)]));
  }

  function fieldOf(field: z.ZodType): Field {
    const optional = field.safeParse(undefined).success && type(field) !== 'unknown';
    return { type: type(field), optional, about: aboutOf(field) };
  }

  function type(schema: z.core.$ZodType): string {
    const name = nameOf(schema);
    if (name !== null) return name;
    const { def } = (schema as z.core.$ZodTypes)._zod;
    switch (def.type) {
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
      case 'unknown':
        return def.type;
      case 'literal':
        return def.values.map((value) => JSON.stringify(value)).join(' | ');
      case 'enum':
        return Object.values(def.entries)
          .map((value) => JSON.stringify(value))
          .join(' | ');
      case 'array':
        return arrayOf(type(def.element));
      case 'record': {
        const keys = type(def.keyType);
        const record = `Record<${keys}, ${type(def.valueType)}>`;
        return keys === 'string' ? record : `Partial<${record}>`;
      }
      case 'nullable':
        return `${type(def.innerType)} | null`;
      case 'optional':
      case 'nonoptional':
      case 'default':
        return type(def.innerType);
      // A transformation accepts what older clients send; the type says what to send.
      case 'pipe':
        return type(def.in._zod.def.type === 'transform' ? def.out : def.in);
      case 'object':
        return `{\n${documented(fieldsOf((schema as z.ZodObject).shape))}\n}`;
      default:
        throw new Error(`no type is known for a schema of the kind ${def.type}`);
    }
  }
}

const nothing = 'Record<string, never>';

function isPart(part: Shape, whole: Shape): boolean {
  return Object.entries(part).every(([name, field]) => whole[name] === field);
}

function sizeOf(shape: Shape): number {
  return Object.keys(shape).length;
}

function arrayOf(item: string): string {
  return /^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`;
}

/** The description of a schema or of one it wraps, and its default. */
function aboutOf(field: z.ZodType): string {
  const about = field.description ?? fieldComments.get(field);
  const inner = innerOf(field);
  const text = about ?? (inner === null ? '' : aboutOf(inner));
  if (!(field instanceof z.ZodDefault) || /default/i.test(text)) return text;
  const fallback = `Default ${JSON.stringify(field.def.defaultValue)}`;
  return text === '' ? fallback : `${text}. ${fallback}`;
}

function innerOf(field: z.ZodType): z.ZodType | null {
  const wraps =
    field instanceof z.ZodOptional ||
    field instanceof z.ZodNonOptional ||
    field instanceof z.ZodDefault ||
    field instanceof z.ZodNullable;
  return wraps ? (field.def.innerType as z.ZodType) : null;
}

/** Members of an object type, each with its doc comment. */
export function documented(fields: Record<string, Field>): string {
  return Object.entries(fields)
    .map(([name, { type, optional, about }]) => {
      return `${doc(about)}${name}${optional ? '?' : ''}: ${type}${optional ? ' | undefined' : ''};`;
    })
    .join('\n');
}

/** A doc comment with lines that fit; empty without text. */
export function doc(text: string): string {
  if (text === '') return '';
  const paragraphs = text.replace(/(?<!\n)\n(?!\n)/g, ' ').split('\n');
  const lines = paragraphs.flatMap(wrapped);
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

const columns = 92;

function wrapped(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= columns) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
