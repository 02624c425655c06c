import * as z from 'zod';
import { ApiError } from '../../contract/errors.ts';
import type { Operation, Route } from '../../contract/operation.ts';
import { contract, isOperationName, type OperationName } from '../../contract.ts';

/** A route of the contract and its operation. */
export type OperationRoute = { name: OperationName; record: Operation; route: Route };

/** The match of a method and path: an endpoint, or the methods that the path allows. */
export type RouteMatch =
  | { endpoint: OperationRoute; params: Record<string, string> }
  | { allow: string[] };

/** Every route of the contract. */
export const operationRoutes: readonly OperationRoute[] = Object.entries<Operation>(
  contract,
).flatMap(([name, record]) =>
  isOperationName(name) ? record.routes.map((route) => ({ name, record, route })) : [],
);

/**
 * Finds endpoints by method and raw path. Hono's router is not used, because paths must be split
 * before they are decoded: `%2F` in an id is part of the id, and an empty segment (a client that
 * forgot an id) never matches the route above it. Returns null for an unknown path.
 */
export function createRouter(): (method: string, path: string) => RouteMatch | null {
  const root = createNode();
  for (const endpoint of operationRoutes) addRoute(root, endpoint);

  return (method, path) => {
    const segments = pathSegments(path);
    const params: Record<string, string> = {};
    const node = segments === null ? null : findNode(root, segments, params);
    if (node === null) return null;
    const endpoint = node.methods.get(method === 'HEAD' ? 'GET' : method);
    return endpoint === undefined ? { allow: allowedMethods(node) } : { endpoint, params };
  };
}

/** A node in the tree of paths. */
type RouteNode = {
  words: Map<string, RouteNode>;
  fields: PathParameter[];
  methods: Map<string, OperationRoute>;
};

/** A placeholder. `values` are those of an enum, which distinguish it at the same node. */
type PathParameter = { name: string; values: Set<string> | null; node: RouteNode };

function createNode(): RouteNode {
  return { words: new Map(), fields: [], methods: new Map() };
}

function addRoute(root: RouteNode, endpoint: OperationRoute): void {
  let node = root;
  for (const segment of pathSegments(endpoint.route.path) ?? []) {
    const [, field] = /^\{(\w+)\}$/.exec(segment) ?? [];
    node =
      field === undefined
        ? literalChild(node, segment)
        : parameterChild(node, field, endpoint.record);
  }
  node.methods.set(endpoint.route.method, endpoint);
}

function literalChild(node: RouteNode, word: string): RouteNode {
  const next = node.words.get(word) ?? createNode();
  node.words.set(word, next);
  return next;
}

function parameterChild(node: RouteNode, name: string, { input }: Operation): RouteNode {
  const sameField = node.fields.find((field) => field.name === name);
  if (sameField !== undefined) return sameField.node;
  const field = { name, values: enumValues(input.shape[name]), node: createNode() };
  node.fields.push(field);
  // Enums come first: they match known values, and other placeholders match the rest.
  node.fields.sort((a, b) => Number(b.values !== null) - Number(a.values !== null));
  return field.node;
}

function enumValues(schema: unknown): Set<string> | null {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return inner instanceof z.ZodEnum ? new Set(inner.options.map(String)) : null;
}

/** Literals match before placeholders; a trailing slash makes no difference. */
function findNode(node: RouteNode, segments: readonly string[], params: Record<string, string>) {
  const descend = (at: RouteNode, depth: number): RouteNode | null => {
    const segment = segments[depth];
    if (segment === undefined) return at.methods.size > 0 ? at : null;
    const word = at.words.get(segment);
    const match = word === undefined ? null : descend(word, depth + 1);
    if (match !== null) return match;
    const isKnown = ({ values }: PathParameter) => values === null || values.has(segment);
    // If nothing else matches, an enum accepts any value, and the operation explains a wrong one.
    const others = at.fields.filter((field) => !isKnown(field));
    for (const { name, node: next } of [...at.fields.filter(isKnown), ...others]) {
      const end = descend(next, depth + 1);
      if (end === null) continue;
      params[name] = segment;
      return end;
    }
    return null;
  };
  return descend(node, 0);
}

function allowedMethods({ methods }: RouteNode): string[] {
  const names = [...methods.keys()];
  return methods.has('GET') ? [...names, 'HEAD'] : names;
}

/** Decoded segments of a path; null when one of them is empty. */
function pathSegments(path: string): string[] | null {
  const end = path.endsWith('/') ? path.length - 1 : path.length;
  const segments = path.slice(1, end).split('/');
  if (segments.includes('')) return null;
  return path.includes('%') ? segments.map(decodeSegment) : segments;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new ApiError('invalid', 'the path holds a malformed percent-encoding', { cause });
  }
}
