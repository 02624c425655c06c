import fc from 'fast-check';
import { stringify } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { applyEdits, type Slot } from '../../src/client-entries/formats/format.ts';
import { toml } from '../../src/client-entries/formats/toml.ts';
import { tries } from '../support/rounds.ts';

const slot: Slot = { keys: ['mcp_servers'], name: 'mneme', list: false };
const entry = { command: 'npx', args: ['-y', 'mneme'], env: { MNEME_USER_ID: 'ada' } };

const table = `[mcp_servers.mneme]
command = "npx"
args = [ "-y", "mneme" ]

[mcp_servers.mneme.env]
MNEME_USER_ID = "ada"
`;

const put = (text: string, value: object = entry) =>
  applyEdits(text, toml.put(text, slot, { ...value }));
const remove = (text: string) => applyEdits(text, toml.remove(text, slot));

describe('an entry in TOML', () => {
  it.each([
    ['', table],
    ['# mine\n', `# mine\n\n${table}`],
    ['model = "x"', `model = "x"\n\n${table}`],
    ['[a]\r\nb = 1\r\n', `[a]\r\nb = 1\r\n\r\n${table.replaceAll('\n', '\r\n')}`],
    [
      '[mcp_servers.mneme]\ncommand = "x"\n\n# of b\n[b] # b\nc = 1\n',
      `${table}\n# of b\n[b] # b\nc = 1\n`,
    ],
    [
      '[ mcp_servers . "mneme" ]\ncommand = "x"\n[mcp_servers.mneme.tools.a]\nb = 1\n[z]\n',
      `${table}[z]\n`,
    ],
    ['[mcp_servers.mneme]\nx = 1\n[b]\n[mcp_servers.mneme.env]\ny = 2\n', `${table}[b]\n`],
    ['[mcp_servers.mneme2]\nx = 1\n', `[mcp_servers.mneme2]\nx = 1\n\n${table}`],
  ])('goes into %j', (before, after) => {
    expect(put(before)).toBe(after);
  });

  it.each([
    [`model = "x" # m\n\n${table}`, 'model = "x" # m\n'],
    [`[a]\n\n${table}\n# of b\n[b]\n`, '[a]\n\n# of b\n[b]\n'],
    [table, ''],
    ['[a]\n', '[a]\n'],
  ])('leaves %j', (before, after) => {
    expect(remove(before)).toBe(after);
  });

  it.each([
    ['a = ', 1],
    ['a = 1\nb = [1,\n', 3],
    ['a = 1\n\na = 2\n', 3],
  ])('is refused by %j, with the line', (text, line) => {
    expect(() => toml.read(text)).toThrow(expect.objectContaining({ line }));
  });

  it('reads numbers that JavaScript does not have, and times', () => {
    expect(toml.read('a = 9223372036854775807\nb = 1979-05-27T07:32:00Z\n')).toMatchObject({
      a: 9223372036854775807n,
      b: new Date('1979-05-27T07:32:00Z'),
    });
  });

  it('leaves everything else in any document', () => {
    fc.assert(
      fc.property(documents(), (text) => {
        const after = put(text);

        expect(after).toContain(text);
        expect(toml.read(after)).toEqual({
          ...(toml.read(text) as object),
          mcp_servers: { ...serversOf(text), mneme: entry },
        });
        expect(toml.read(remove(after)) ?? {}).toEqual(toml.read(text) ?? {});
      }),
      tries(100),
    );
  });
});

function serversOf(text: string): object {
  return (toml.read(text) as { mcp_servers?: object } | null)?.mcp_servers ?? {};
}

function documents(): fc.Arbitrary<string> {
  const name = fc.stringMatching(/^[a-z][a-z _-]{0,6}$/).filter((text) => text !== 'mneme');
  const scalar = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant('[mcp_servers.mneme]\n'),
  );
  const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(name, scalar));
  const server = fc.dictionary(name, value, { minKeys: 1 });
  const data = fc.tuple(fc.dictionary(name, value), fc.dictionary(name, server));
  return fc.tuple(data, fc.boolean()).map(([[first, servers], comments]) => {
    const text = stringify({ ...first, mcp_servers: servers });
    return comments ? text.replace(/^(\[.*\])$/gm, '# above\n$1 # behind') : text;
  });
}
