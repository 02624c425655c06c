import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { applyEdits, type Slot } from '../../src/client-entries/formats/format.ts';
import { yaml } from '../../src/client-entries/formats/yaml.ts';
import { tries } from '../support/rounds.ts';

const keyed: Slot = { keys: ['extensions'], name: 'mneme', list: false };
const listed: Slot = { keys: ['mcpServers'], name: 'mneme', list: true };
const entry = { name: 'mneme', args: ['-y', 'mneme'] };

const put = (text: string, slot: Slot, value: object = entry) =>
  applyEdits(text, yaml.put(text, slot, { ...value }));
const remove = (text: string, slot: Slot) => applyEdits(text, yaml.remove(text, slot));

describe('an entry under its name', () => {
  const block = (indent: string) =>
    ['mneme:', '  name: mneme', '  args:', '    - -y', '    - mneme', '']
      .map((line) => (line === '' ? '' : indent + line))
      .join('\n');

  it.each([
    ['', `extensions:\n${block('  ')}`],
    ['# mine\n', `# mine\n\nextensions:\n${block('  ')}`],
    ['a: 1', `a: 1\n\nextensions:\n${block('  ')}`],
    ['extensions: {} # none\nb: 2\n', `extensions: # none\n${block('  ')}b: 2\n`],
    ['extensions:\nb: 2\n', `extensions:\n${block('  ')}b: 2\n`],
    ['extensions: # later\n', `extensions: # later\n${block('  ')}`],
    ['extensions:\n    a: 1 # one\nb: 2\n', `extensions:\n    a: 1 # one\n${block('    ')}b: 2\n`],
    ['extensions:\n  a: 1', `extensions:\n  a: 1\n${block('  ')}`],
    ['extensions:\n  a: |\n    x\n\nb: 2\n', `extensions:\n  a: |\n    x\n${block('  ')}\nb: 2\n`],
    [
      'extensions: {a: 1}\n',
      'extensions: {a: 1, "mneme": {"name":"mneme","args":["-y","mneme"]}}\n',
    ],
    ['extensions:\n  mneme:\n    cmd: x\n  z: 1 # z\n', `extensions:\n${block('  ')}  z: 1 # z\n`],
  ])('goes into %j', (before, after) => {
    expect(put(before, keyed)).toBe(after);
  });

  it.each([
    ['extensions:\n  a: 1 # one\n  mneme:\n    b: 2\nc: 3\n', 'extensions:\n  a: 1 # one\nc: 3\n'],
    ['extensions:\n  mneme:\n    b: 2\n  # two\n  a: 1\n', 'extensions:\n  # two\n  a: 1\n'],
    ['extensions: {a: 1, mneme: {b: 2}}\n', 'extensions: {a: 1}\n'],
    ['extensions: {mneme: {b: 2}, a: 1}\n', 'extensions: {a: 1}\n'],
    ['extensions:\n  a: 1\n', 'extensions:\n  a: 1\n'],
  ])('leaves %j', (before, after) => {
    expect(remove(before, keyed)).toBe(after);
  });

  it.each([
    ['a: [1,\nb: 2', 'must be sufficiently indented'],
    ['a: 1\n---\nb: 2\n', 'multiple documents'],
    ['a: 1\na: 2\n', 'must be unique'],
    ['- 1\n', 'is not a block of keys'],
    ['extensions: [1]\n', 'extensions is not a block of keys'],
    ['extensions: 5\n', 'extensions is not a block of keys'],
  ])('is refused by %j', (text, message) => {
    expect(() => put(text, keyed)).toThrow(message);
  });
});

describe('an entry of a list', () => {
  const block = (indent: string) =>
    ['- name: mneme', '  args:', '    - -y', '    - mneme', '']
      .map((line) => (line === '' ? '' : indent + line))
      .join('\n');

  it.each([
    ['name: x\n', `name: x\n\nmcpServers:\n${block('  ')}`],
    ['mcpServers: []\nname: x\n', `mcpServers:\n${block('  ')}name: x\n`],
    [
      'mcpServers:\n- name: a # a\n  x: 1\nname: x\n',
      `mcpServers:\n- name: a # a\n  x: 1\n${block('')}name: x\n`,
    ],
    ['mcpServers:\n  - name: a\n', `mcpServers:\n  - name: a\n${block('  ')}`],
    [
      'mcpServers:\n  - name: mneme\n    x: 1\n  - uses: b # b\n',
      `mcpServers:\n${block('  ')}  - uses: b # b\n`,
    ],
    ['mcpServers: [{name: a}]', 'mcpServers: [{name: a}, {"name":"mneme","args":["-y","mneme"]}]'],
  ])('goes into %j', (before, after) => {
    expect(put(before, listed)).toBe(after);
  });

  it('leaves the list with its other items', () => {
    const text = 'mcpServers:\n  - name: a # a\n  - name: mneme\n    x: 1\n  # b\n  - name: b\n';

    expect(remove(text, listed)).toBe('mcpServers:\n  - name: a # a\n  # b\n  - name: b\n');
  });

  it('is refused where there is something else', () => {
    expect(() => put('mcpServers:\n  a: 1\n', listed)).toThrow('mcpServers');
  });
});

describe('in any document', () => {
  it.each([
    ['a block of keys', keyed],
    ['a list', listed],
  ])('everything else stays, in its order, comments too: %s', (_, slot) => {
    fc.assert(
      fc.property(documents(slot), (text) => {
        const before = yaml.read(text);
        const after = put(text, slot);

        expect(entryOf(yaml.read(after), slot)).toEqual(entry);
        expect(withoutEntry(yaml.read(after), slot)).toEqual(withoutEntry(before, slot));
        expect(isSubsequence(solid(text), solid(after))).toBe(true);
        expect(withoutEntry(yaml.read(remove(after, slot)), slot)).toEqual(
          withoutEntry(before, slot),
        );
      }),
      tries(100),
    );
  });
});

/** Printed as people might have, with a comment behind or above some lines. */
function documents(slot: Slot): fc.Arbitrary<string> {
  const name = fc.stringMatching(/^[a-z][a-z ]{0,8}[a-z]$/);
  const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant('two\nlines\n'));
  const value = fc.oneof(scalar, fc.dictionary(name, scalar), fc.array(scalar, { maxLength: 3 }));
  const items = fc.dictionary(name, fc.dictionary(name, value, { minKeys: 1 }), { minKeys: 1 });
  const servers = slot.list
    ? items.map((all) => Object.entries(all).map(([key, rest]) => ({ ...rest, name: key })))
    : items;
  const data = fc.tuple(fc.dictionary(name, value), servers, fc.dictionary(name, value));
  const options = fc.record({
    indent: fc.constantFrom(2, 4),
    indentSeq: fc.boolean(),
    lineWidth: fc.constantFrom(0, 30),
  });
  const ends = fc.record({
    comment: fc.boolean(),
    crlf: fc.boolean(),
    cut: fc.boolean(),
  });
  return fc.tuple(data, options, ends).map(([[first, inner, last], layout, end]) => {
    const all = { ...first, [slot.keys[0] ?? '']: inner, ...last };
    const printed = stringify(all, layout);
    const lines = end.comment ? printed.replace(/^(\w[\w ]*:)$/gm, '# c\n$1 # d') : printed;
    const whole = end.cut ? lines.replace(/\n$/, '') : lines;
    return end.crlf ? whole.replaceAll('\n', '\r\n') : whole;
  });
}

function entryOf(data: unknown, { keys, name, list }: Slot): unknown {
  const servers = (data as Record<string, unknown>)[keys[0] ?? ''];
  if (!list) return (servers as Record<string, unknown>)[name];
  return (servers as { name: string }[]).find((item) => item.name === name);
}

function withoutEntry(data: unknown, { keys, name, list }: Slot): unknown {
  const key = keys[0] ?? '';
  const { [key]: servers, ...others } = data as Record<string, unknown>;
  if (list) {
    const items = servers as { name: string }[];
    return { ...others, servers: items.filter((item) => item.name !== name) };
  }
  const { [name]: _, ...rest } = servers as Record<string, unknown>;
  return { ...others, servers: rest };
}

function solid(text: string): string {
  return text.replace(/\s+/g, '');
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const character of whole) if (character === part[at]) at += 1;
  return at === part.length;
}
