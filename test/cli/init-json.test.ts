import { parse } from '@humanwhocodes/momoa';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits, type Slot } from '../../src/client-entries/formats/format.ts';
import { json } from '../../src/client-entries/formats/json.ts';
import { tries } from '../support/rounds.ts';

const slot: Slot = { keys: ['mcpServers'], name: 'mneme', list: false };
const entry = { command: 'npx', args: ['-y', 'mneme'] };

const put = (text: string, value: object = entry) =>
  applyEdits(text, json.put(text, slot, { ...value }));
const remove = (text: string) => applyEdits(text, json.remove(text, slot));

describe('an entry in JSON', () => {
  it.each([
    ['', '{\n  "mcpServers": {\n    "mneme": ENTRY4\n  }\n}\n'],
    ['{}', '{\n  "mcpServers": {\n    "mneme": ENTRY4\n  }\n}'],
    ['// mine\n', '// mine\n{\n  "mcpServers": {\n    "mneme": ENTRY4\n  }\n}\n'],
    ['{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"mcpServers": {\n\t\t"mneme": ENTRYT\n\t}\n}\n'],
    [
      '{\n  "mcpServers": {} // none\n}\n',
      '{\n  "mcpServers": {\n    "mneme": ENTRY4\n  } // none\n}\n',
    ],
    [
      '{\n  "mcpServers": {\n    // later\n  }\n}\n',
      '{\n  "mcpServers": {\n    // later\n    "mneme": ENTRY4\n  }\n}\n',
    ],
    [
      '{\n  "mcpServers": {\n    "a": {} // its own\n    // the end\n  }\n}\n',
      '{\n  "mcpServers": {\n    "a": {}, // its own\n    "mneme": ENTRY4\n    // the end\n  }\n}\n',
    ],
    [
      '{\n  "mcpServers": {\n    "a": {}, /* x */ // y\n  },\n}\n',
      '{\n  "mcpServers": {\n    "a": {}, /* x */ // y\n    "mneme": ENTRY4,\n  },\n}\n',
    ],
    ['{ "mcpServers": { "a": {} } }', '{ "mcpServers": { "a": {}, "mneme": ENTRY1 } }'],
    ['{"mcpServers":{"a":{}}}', '{"mcpServers":{"a":{},"mneme":ENTRY0}}'],
    [
      '{\r\n    "mcpServers": null\r\n}',
      '{\r\n    "mcpServers": {\r\n        "mneme": ENTRYR\r\n    }\r\n}',
    ],
  ])('goes into %j', (before, after) => {
    const written = (unit: string, line: string) =>
      ['{', `${unit}"command": "npx",`, `${unit}"args": ["-y", "mneme"]`, '}'].join(line);
    const expected = after
      .replace('ENTRY4', written('  ', '\n    '))
      .replace('ENTRYT', written('\t', '\n\t\t'))
      .replace('ENTRYR', written('    ', '\r\n        '))
      .replace('ENTRY1', '{ "command": "npx", "args": [ "-y", "mneme" ] }')
      .replace('ENTRY0', JSON.stringify(entry));

    expect(put(before)).toBe(expected);
  });

  it('takes the place of the one that is there, and of nothing around it', () => {
    const text = '{ "mcpServers": { /* a */ "mneme": /* b */ 1 /* c */, "z": 2 } }';

    expect(put(text, { command: 'x' })).toBe(
      '{ "mcpServers": { /* a */ "mneme": /* b */ {\n  "command": "x"\n} /* c */, "z": 2 } }',
    );
  });

  it('writes long lists and odd texts as they have to be', () => {
    const value = { args: ['a"]\n["', 'b\\'], long: ['x'.repeat(40), 'y'.repeat(40)], none: [] };

    expect(json.read(put('', value))).toEqual({ mcpServers: { mneme: value } });
    expect(put('', value)).toContain('"args": ["a\\"]\\n[\\"", "b\\\\"],\n');
    expect(put('', value)).toContain('[\n        "xx');
  });

  it.each([
    ['{ "mcpServers": { "a": 1, "mneme": {} } }', '{ "mcpServers": { "a": 1 } }'],
    ['{ "mcpServers": { "mneme": {}, "a": 1 } }', '{ "mcpServers": { "a": 1 } }'],
    ['{ "mcpServers": { "mneme": {} } }', '{ "mcpServers": { } }'],
    ['{"mcpServers":{"a":1,"mneme":{}}}', '{"mcpServers":{"a":1}}'],
    [
      '{ "mcpServers": {\n  "a": 1, // one\n  // two\n  "mneme": {} // three\n} }',
      '{ "mcpServers": {\n  "a": 1 // one\n  // two\n   // three\n} }',
    ],
    [
      '{ "mcpServers": {\n  "mneme": {}, // three\n  "a": 1\n} }',
      '{ "mcpServers": {\n  // three\n  "a": 1\n} }',
    ],
  ])('leaves %j', (before, after) => {
    expect(remove(before)).toBe(after);
  });

  it.each([
    ['[]', 'does not hold a JSON object'],
    ['{ "mcpServers": [] }', '"mcpServers" is not an object'],
    ['{ "mcpServers": { "a": 1 "b": 2 } }', 'unexpected text'],
    ['{ "mcpServers": ', 'the file ends too early'],
    ['{ "mcpServers": {', 'the file ends too early'],
    ['{} {}', 'unexpected "{"'],
    ['{} }', 'unexpected "}"'],
    ['{ "a": 1, , }', 'unexpected ","'],
    ['/* {}', 'the file ends too early'],
    ['{"a":'.repeat(50_000), 'nested too deeply'],
  ])('is refused by %j', (text, message) => {
    expect(() => put(text)).toThrow(message);
  });

  it('is read by the last of several members with the same name, as clients do', () => {
    const text = '{ "mcpServers": { "a": 1 }, "mcpServers": { "b": 2 } }';

    expect(json.read(put(text))).toEqual({ mcpServers: { b: 2, mneme: entry } });
  });

  it('takes no longer for many comments', () => {
    const comments = '/* a */ '.repeat(2000);

    expect(json.read(put(`{ "mcpServers": { "a": 1 ${comments}} }`))).toEqual({
      mcpServers: { a: 1, mneme: entry },
    });
  });
});

describe('in any document', () => {
  it('everything else stays, in its order, comments too', () => {
    fc.assert(
      fc.property(documents(), (text) => {
        const after = put(text);

        expect(withoutEntry(json.read(after))).toEqual(withoutEntry(json.read(text)));
        expect(commentsOf(after)).toEqual(commentsOf(text));
        expect(isSubsequence(solid(text), solid(after))).toBe(true);
        expect(json.read(after)).toMatchObject({ mcpServers: { mneme: entry } });
      }),
      tries(500),
    );
  });

  it('removing the entry leaves everything else, comments too', () => {
    fc.assert(
      fc.property(documents(), (text) => {
        const after = remove(put(text));

        expect(json.read(after)).toEqual({ mcpServers: {}, ...withoutEntry(json.read(text)) });
        expect(commentsOf(after)).toEqual(commentsOf(text));
      }),
      tries(500),
    );
  });

  it('an entry that is there already is replaced, whatever is in it', () => {
    fc.assert(
      fc.property(documents(), fc.jsonValue(), (text, value) => {
        const first = put(text, { command: value });

        expect(json.read(put(first))).toEqual(json.read(put(text)));
      }),
      tries(200),
    );
  });
});

/** JSON with comments, odd spaces and trailing commas, mostly with servers in it. */
function documents(): fc.Arbitrary<string> {
  const space = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('', ' ', '\n', '\n  ', '\n\t', '\r\n    ') },
    { weight: 1, arbitrary: fc.constantFrom(' // a "b" {\n', ' /* c, } */ ', '/* d\n e */') },
  );
  const key = fc.oneof(
    fc.constantFrom('"mcpServers"', '"a"', '"b\\"c"', '"//"', '"é"'),
    fc.string().map((text) => JSON.stringify(`k${text}`)),
  );
  const { object } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'json' },
      fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null)).map(encoded),
      tie('object'),
      tie('array'),
    ),
    array: list(['[', ']'], tie('value'), space),
    object: list(['{', '}'], member(key, tie('value'), space), space),
  }));
  const servers = list(['{', '}'], member(key, object, space), space);
  const named = fc.tuple(space, servers).map(([gap, body]) => `"mcpServers":${gap}${body}`);
  const rest = member(
    key.filter((name) => name !== '"mcpServers"'),
    object,
    space,
  );
  const root = list(['{', '}'], fc.oneof(rest, named), space);
  return fc.tuple(space, root, space).map((parts) => parts.join(''));
}

function encoded(value: unknown): string {
  return JSON.stringify(value);
}

type Texts = fc.Arbitrary<string>;

function member(key: Texts, value: Texts, space: Texts): Texts {
  return fc
    .tuple(key, space, space, value)
    .map(([name, before, after, body]) => `${name}${before}:${after}${body}`);
}

function list([open, close]: readonly [string, string], item: Texts, space: Texts): Texts {
  const items = fc.array(fc.tuple(space, item, space), { maxLength: 4 });
  return fc.tuple(items, fc.boolean(), space).map(([parts, trailing, end]) => {
    const body = parts.map((part) => part.join('')).join(',');
    const comma = trailing && parts.length > 0 ? ',' : '';
    return `${open}${body}${comma}${end}${close}`;
  });
}

function withoutEntry(data: unknown): object {
  const { mcpServers, ...others } = data as { mcpServers?: Record<string, unknown> };
  const { mneme: _, ...servers } = mcpServers ?? {};
  return { ...others, mcpServers: servers };
}

function commentsOf(text: string): string[] {
  const { tokens = [] } = parse(text, {
    mode: 'jsonc',
    tokens: true,
    ranges: true,
    allowTrailingCommas: true,
  });
  return tokens
    .filter(({ type }) => type.endsWith('Comment'))
    .map(({ loc }) => text.slice(loc.start.offset, loc.end.offset).trimEnd());
}

/** All that is not white space. */
function solid(text: string): string {
  return text.replace(/\s+/g, '');
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const character of whole) if (character === part[at]) at += 1;
  return at === part.length;
}
