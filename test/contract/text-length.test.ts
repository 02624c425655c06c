import { describe, expect, it } from 'vitest';
import { limits } from '../../src/contract/limits.ts';
import { contract } from '../../src/contract.ts';

/** Every character that is more than one as it is read, the one that grows most first. */
const growing = growingCharacters();
const [most = ''] = growing;

describe('a text of characters that are several as they are read', () => {
  it('is known by the data of Unicode', () => {
    expect(growing.length).toBeGreaterThan(1000);
    expect(most.normalize('NFKC')).toHaveLength(18);
  });

  it.each([
    ['add_memory', (text: string) => ({ messages: text, user_id: 'ann' })],
    ['search_memories', (query: string) => ({ query, user_id: 'ann' })],
    ['update_memory', (text: string) => ({ memory_id: id, text })],
    ['get_context', (query: string) => ({ query, user_id: 'ann' })],
  ] as const)('is too long for %s where it is as it is read', (operation, inputOf) => {
    const max = maxOf(operation);
    const parse = (text: string) => contract[operation].input.parse(inputOf(text));

    for (const character of growing.filter((_, index) => index % 20 === 0)) {
      const chars = character.normalize('NFKC').length;
      const fitting = Math.floor(max / Math.max(chars, character.length));
      expect(() => parse(character.repeat(fitting))).not.toThrow();
      expect(() => parse(character.repeat(fitting + 1))).toThrow(
        new RegExp(`holds \\d+ characters; at most ${max}`),
      );
    }
  });

  it('counts by what is read of a text that is stored word for word', () => {
    const add = { user_id: 'ann', infer: false, messages: most.repeat(2000) };

    expect(() => contract.add_memory.input.parse(add)).toThrow(/holds 36000 characters/);
  });
});

const id = '01940000-0000-7000-8000-000000000000';

function maxOf(operation: 'add_memory' | 'search_memories' | 'update_memory' | 'get_context') {
  return operation === 'update_memory' ? limits.memory_text_max_chars : limits.message_max_chars;
}

function growingCharacters(): string[] {
  const found: string[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    if (growthOf(character) > 1) found.push(character);
  }
  return found.sort((one, other) => growthOf(other) - growthOf(one));
}

function growthOf(character: string): number {
  return character.normalize('NFKC').length / character.length;
}
