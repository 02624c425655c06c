import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/contract/errors.ts';
import { parseInput } from '../../src/contract/parse-input.ts';
import { contract, type OperationName } from '../../src/contract.ts';
import { inputExamples } from '../../src/rest/openapi/examples.ts';
import { type Described, describedIn, type Field } from './described-operations.ts';
import { clientOf } from './support.ts';

const text = await (await clientOf({}).app.request('/openapi.json')).text();
const { all } = describedIn(text);
const ajv = new Ajv2020({ strict: false, formats: { uri: (text) => URL.canParse(text) } });

/** Each hidden where a person looks at it; joiners among letters are told by the server alone. */
const wrongIds = [
  '',
  ' ',
  '  \t',
  ' a',
  'a ',
  '\u3000a',
  'a\nb',
  'a\tb',
  'a\u0000b',
  'a\u001Bb',
  'a\u009Bb',
  'a\u00ADb',
  'a\u200Bb',
  'a\u2028b',
  'a\u202Eb',
  'a\u2066b',
  'a\uFEFFb',
  'a\uD800b',
  'a\u3164b',
  'a\u{1D173}b',
  'a\u{E0001}b',
  'x'.repeat(256),
  '*',
];

const visibleIds = [
  'ada',
  'Ada Lovelace',
  'a@b.c',
  'Zoë',
  '林',
  '👩‍👩‍👧',
  '❤️',
  'می‌خواهم',
  '葛\u{E0100}',
  'a*',
];

const fieldsOfAll = all.flatMap((about) =>
  [...about.params, ...about.query, ...(about.body ?? [])].map((field) => ({ about, field })),
);

/** True unless the server refuses this value of the field, beside a typical input. */
function isTaken(about: Described, field: Field, value: unknown): boolean {
  return problemOf(about, field, value) === null;
}

/** What the server says of one field of a typical input. */
function problemOf({ operation }: Described, { name }: Field, value: unknown): string | null {
  const known = operation as OperationName; // a test holds the names to the contract
  try {
    parseInput(contract[known], { ...inputExamples[known], [name]: value });
    return null;
  } catch (error) {
    return error instanceof ApiError ? (error.fields?.[name]?.join() ?? null) : String(error);
  }
}

describe('a field of a request', () => {
  it('has a schema that refuses the ids that the server refuses, and no others', () => {
    const ids = fieldsOfAll.filter(({ field }) => /^(user|agent|app|run|org)_id$/.test(field.name));
    const faults = ids.flatMap(({ about, field }) => {
      const isDescribed = ajv.compile(field.schema);
      return [...wrongIds, ...visibleIds]
        .filter((id) => isDescribed(id) !== isTaken(about, field, id))
        .map((id) => `${about.name} ${field.name} ${JSON.stringify(id)}`);
    });

    expect(ids.length).toBeGreaterThan(100);
    expect(faults).toEqual([]);
  });

  it('has a schema that tells the texts that the server refuses: empty, of spaces, too long', () => {
    const texts = fieldsOfAll.filter(({ field }) => field.schema.type === 'string');
    const faults = texts.flatMap(({ about, field }) => {
      const isDescribed = ajv.compile(field.schema);
      return ['', ' ', ' \n\t\u3000', 'x'.repeat(100_001)]
        .filter((text) => isDescribed(text) !== isTaken(about, field, text))
        .map((text) => `${about.name} ${field.name} ${JSON.stringify(text.slice(0, 20))}`);
    });

    expect(texts.length).toBeGreaterThan(100);
    expect(faults).toEqual([]);
  });

  it('may be null in a body where null stands for its absence', () => {
    const faults = all.flatMap((about) =>
      (about.body ?? [])
        .filter((field) => {
          const isAbsence = problemOf(about, field, null) === problemOf(about, field, undefined);
          return ajv.compile(field.schema)(null) !== (!field.required && isAbsence);
        })
        .map((field) => `${about.name} ${field.name}`),
    );

    expect(faults).toEqual([]);
  });

  it('names the fields of memories that can be asked for', () => {
    const search = all.find(({ path }) => path === '/v3/memories/search/');
    const fields = search?.body?.find(({ name }) => name === 'fields')?.schema;

    expect(fields?.items?.enum).toEqual(expect.arrayContaining(['memory', 'score']));
    expect(ajv.compile(fields ?? {})(['memroy'])).toBe(false);
  });
});
