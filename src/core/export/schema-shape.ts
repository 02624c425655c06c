import { invalid } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';
import { distinctiveTerms, wordsOfName } from './analyzed-memory.ts';
import { cuesOf, type FieldCue } from './field-cues.ts';

/** What a JSON Schema asks for, if stored memories can fill it. */
export type SchemaShape =
  | { kind: 'object'; fields: SchemaField[] }
  | { kind: 'list'; items: SchemaShape }
  /** The first of several that can be filled. */
  | { kind: 'either'; options: SchemaShape[] }
  /** Says its value itself. */
  | { kind: 'fixed'; value: unknown }
  /** Nothing that memories could tell: stays null. */
  | { kind: 'unknown' }
  | ScalarShape;

export type ScalarShape =
  | { kind: 'text'; format: string | null; max_chars: number }
  | { kind: 'number'; accepts: (value: number) => boolean }
  | { kind: 'boolean' }
  | { kind: 'choice'; choices: ShapeChoice[] };

export type ShapeChoice = { value: string | number; words: RegExp };

/** A property, with what the rules look for on its behalf. */
export type SchemaField = {
  name: string;
  /** The words of the name, in lower case. */
  words: string[];
  shape: SchemaShape;
  /** Index terms that a memory about it holds; none when its name tells nothing. */
  terms: string[];
  cues: FieldCue[];
};

type SchemaNode = Readonly<Record<string, unknown>>;
type SchemaPosition = {
  root: SchemaNode;
  /** The input field that the schema came in. */
  field: string;
  /** References on the way here: one that leads back would never end. */
  ancestorRefs: readonly string[];
  depth: number;
  nodes: { left: number };
};

/** More than any model that people write by hand or derive from classes. */
const nodesMax = 2000;
const depthMax = 32;

/** Reads an object schema as Pydantic and other libraries write them; throws on any other. */
export function compileSchema(
  schema: SchemaNode,
  field = 'schema',
): Extract<SchemaShape, { kind: 'object' }> {
  const nodes = { left: nodesMax };
  const shape = compileNode(schema, { root: schema, field, ancestorRefs: [], depth: 0, nodes });
  if (shape.kind === 'object') return shape;
  throw invalid(field, 'must be the JSON Schema of an object: {"type": "object", ...}');
}

function compileNode(schema: unknown, above: SchemaPosition): SchemaShape {
  const place = { ...above, depth: above.depth + 1 };
  place.nodes.left -= 1;
  if (place.nodes.left < 0) throw invalid(place.field, `holds more than ${nodesMax} parts`);
  if (place.depth > depthMax) throw invalid(place.field, `is nested more than ${depthMax} deep`);
  if (!isObject(schema)) return { kind: 'unknown' };
  if (typeof schema.$ref === 'string') return compileRef(schema.$ref, place);
  if ('const' in schema) return { kind: 'fixed', value: schema.const };
  if (Array.isArray(schema.enum)) return compileEnum(schema.enum);
  const options = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(options))
    return compileUnion(options.map((option) => compileNode(option, place)));
  if (Array.isArray(schema.type)) {
    return compileUnion(schema.type.map((type) => compileNode({ ...schema, type }, place)));
  }
  if (Array.isArray(schema.allOf)) return compileAll(schema, place);
  return compileType(schema, place);
}

function compileRef(ref: string, place: SchemaPosition): SchemaShape {
  if (place.ancestorRefs.includes(ref)) return { kind: 'unknown' };
  const target = resolveRef(ref, place.root);
  if (target === undefined) {
    throw invalid(place.field, `holds a $ref that leads nowhere: ${ref.slice(0, refShownChars)}`);
  }
  return compileNode(target, { ...place, ancestorRefs: [...place.ancestorRefs, ref] });
}

const refShownChars = 100;

/** A JSON pointer into the schema itself: `#/$defs/Address`. */
function resolveRef(ref: string, root: SchemaNode): unknown {
  const [base, ...keys] = ref.split('/');
  if (base !== '#') return undefined;
  let node: unknown = root;
  for (const key of keys.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))) {
    node = isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
  }
  return node;
}

function compileAll(schema: SchemaNode, place: SchemaPosition): SchemaShape {
  const { allOf, ...own } = schema;
  const parts = [own, ...(allOf as unknown[])].map((part) => compileNode(part, place));
  const fields = parts.flatMap((part) => (part.kind === 'object' ? part.fields : []));
  if (fields.length > 0) return { kind: 'object', fields };
  return parts.find(({ kind }) => kind !== 'unknown') ?? { kind: 'unknown' };
}

function compileType(schema: SchemaNode, place: SchemaPosition): SchemaShape {
  const { type, properties, items } = schema;
  if (type === 'object' || (type === undefined && isObject(properties))) {
    return { kind: 'object', fields: compileFields(properties, place) };
  }
  if (type === 'array') return { kind: 'list', items: compileNode(items, place) };
  if (type === 'string') return compileText(schema);
  if (type === 'integer' || type === 'number') return compileNumber(schema, type === 'integer');
  if (type === 'boolean') return { kind: 'boolean' };
  return type === 'null' ? { kind: 'fixed', value: null } : { kind: 'unknown' };
}

function compileFields(properties: unknown, place: SchemaPosition): SchemaField[] {
  if (!isObject(properties)) return [];
  return Object.entries(properties).map(([name, property]) => {
    const title = isObject(property) && typeof property.title === 'string' ? property.title : '';
    const cues = [name, title.slice(0, titleMaxChars)].flatMap(cuesOf);
    const told = { words: wordsOfName(name), terms: distinctiveTerms(name), cues };
    return { name, shape: compileNode(property, place), ...told };
  });
}

/** Longer ones are descriptions, which nobody repeats word for word. */
const titleMaxChars = 100;

/** Foreign patterns are not run: text that must match one is left to a model. */
function compileText({ format, maxLength, pattern }: SchemaNode): SchemaShape {
  if (pattern !== undefined) return { kind: 'unknown' };
  return {
    kind: 'text',
    format: typeof format === 'string' ? format : null,
    max_chars: boundOf(maxLength, Number.POSITIVE_INFINITY),
  };
}

function compileNumber(schema: SchemaNode, isInteger: boolean): SchemaShape {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  return {
    kind: 'number',
    accepts: (value) =>
      (!isInteger || Number.isInteger(value)) &&
      value >= boundOf(minimum, Number.NEGATIVE_INFINITY) &&
      value <= boundOf(maximum, Number.POSITIVE_INFINITY) &&
      value > boundOf(above, Number.NEGATIVE_INFINITY) &&
      value < boundOf(below, Number.POSITIVE_INFINITY),
  };
}

function boundOf(value: unknown, none: number): number {
  return typeof value === 'number' ? value : none;
}

/** A single value is what every filled schema holds, as a `Literal` of Pydantic. */
function compileEnum(values: readonly unknown[]): SchemaShape {
  if (values.length === 1) return { kind: 'fixed', value: values[0] };
  const choices = values
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map((value): ShapeChoice => ({ value, words: wholeWordsPattern(String(value)) }));
  return choices.length === 0 ? { kind: 'unknown' } : { kind: 'choice', choices };
}

function wholeWordsPattern(text: string): RegExp {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  // No text can match a choice without letters.
  if (words.length === 0) return /(?!)/;
  return new RegExp(`(?<![\\p{L}\\p{N}])${words.join('[\\s_-]+')}(?![\\p{L}\\p{N}])`, 'iu');
}

/** Null is what remains when nothing is found, so it needs no option of its own. */
function compileUnion(shapes: readonly SchemaShape[]): SchemaShape {
  const options = shapes.filter((shape) => !(shape.kind === 'fixed' && shape.value === null));
  const [only] = options;
  if (options.length === 1 && only !== undefined) return only;
  return options.length === 0 ? { kind: 'fixed', value: null } : { kind: 'either', options };
}
