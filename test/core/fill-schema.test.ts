import { describe, expect, it } from 'vitest';
import { fillShape } from '../../src/core/export/fill-schema.ts';
import { compileSchema } from '../../src/core/export/schema-shape.ts';
import type { StoredMemory } from '../../src/core/ports/index.ts';
import { storedMemory } from '../support/stored-memory.ts';

type Properties = Record<string, unknown>;

const text = { type: 'string' };
const number = { type: 'number' };
const integer = { type: 'integer' };
const flag = { type: 'boolean' };

/** What memories, newest first, fill into an object of these properties. */
function fill(properties: Properties, memories: (string | StoredMemory)[], more: Properties = {}) {
  const stored = memories.map((memory) =>
    typeof memory === 'string' ? storedMemory(memory) : memory,
  );
  return fillShape(compileSchema({ type: 'object', properties, ...more }), stored);
}

describe('text is filled', () => {
  it.each([
    ['favorite_color', "My favourite color is teal, and I won't change it.", 'teal'],
    ['favFood', 'Favorite food: sushi', 'sushi'],
    ['wifi_name', 'The wifi name is Tulip5.', 'Tulip5'],
    ['name', 'My name is Alice Moreau.', 'Alice Moreau'],
    ['full_name', "User's name is Ana de la Cruz", 'Ana de la Cruz'],
    ['first_name', 'My name is Alice Moreau.', 'Alice'],
    ['last_name', 'My name is Alice Moreau.', 'Moreau'],
    ['location', 'I live in Lisbon, Portugal, with two cats.', 'Lisbon, Portugal'],
    ['city', 'Lives in Lisbon, Portugal', 'Lisbon'],
    ['country', 'Lives in Lisbon, Portugal', 'Portugal'],
    ['company', 'Works at Blue Ocean Labs as a chemist', 'Blue Ocean Labs'],
    ['current_role', 'Works as a marine biologist at Blue Ocean Labs', 'marine biologist'],
    ['hometown', 'I grew up in Porto.', 'Porto'],
    ['email', 'Write to alice.m+x@mail.example.co.uk please', 'alice.m+x@mail.example.co.uk'],
    ['website', 'My site is https://alice.example/about.', 'https://alice.example/about'],
    ['phone', 'Call me at +351 912 345 678.', '+351 912 345 678'],
    ['birthday', 'I was born on March 5, 1990 in Porto.', '1990-03-05'],
    ['start_date', 'The start date is 5th of May 2026', '2026-05-05'],
  ])('%s from "%s"', async (field, memory, value) => {
    expect(await fill({ [field]: text }, ['Likes tea', memory])).toEqual({ [field]: value });
  });

  it.each([
    ['name', "My dog's name is Rex"],
    ['name', 'My sister is called Ana'],
    ['favorite_color', "My sister's favorite color is red"],
    ['favorite_color', 'Favorite color is not decided yet'],
    ['favorite_color', 'My favorite color used to be red'],
    ['favorite_color', 'If my favorite color is red, I paint it'],
    ['city', 'Might be living in Rome next year'],
    ['country', 'Lives in Lisbon'],
    ['last_name', 'My name is Alice'],
    ['company', 'Works at night'],
    ['email', 'Write to a@example.com or b@example.com'],
    ['birthday', 'Birthday is on March 5'],
    ['start_date', 'Has met Tom on 2026-05-05'],
    ['opinion', 'Thinks a lot'],
  ])('%s not from "%s"', async (field, memory) => {
    expect(await fill({ [field]: text }, [memory])).toEqual({ [field]: null });
  });

  it('from whoever the memory is about, named by an id or as the speaker', async () => {
    const memory = "Alice's favorite color is teal";
    const spoken = storedMemory("Bob's favorite color is red", { user_id: 'u1', speaker: 'Bob' });

    expect(await fill({ favorite_color: text }, [memory])).toEqual({ favorite_color: 'teal' });
    expect(await fill({ favorite_color: text }, [spoken])).toEqual({ favorite_color: 'red' });
  });

  it('from the newest memory that states it', async () => {
    const memories = ['Lives in Porto now', 'Lives in Lisbon'];

    expect(await fill({ city: text }, memories)).toEqual({ city: 'Porto' });
  });

  it('in the format and length that it asks for, or not at all', async () => {
    const memory = 'Team size is 12, the deadline is 1 June 2026 and mail is me@example.com';
    const properties = {
      deadline: { type: 'string', format: 'date' },
      deadline_at: { type: 'string', format: 'date-time' },
      contact: { type: 'string', format: 'email' },
      team_size: { type: 'string', maxLength: 1 },
      code: { type: 'string', pattern: '^(a+)+$' },
      key: { type: 'string', format: 'uuid' },
    };

    expect(await fill(properties, [memory])).toEqual({
      deadline: '2026-06-01',
      deadline_at: null,
      contact: 'me@example.com',
      team_size: null,
      code: null,
      key: null,
    });
  });
});

describe('numbers are filled', () => {
  it.each([
    ['age', 'Is 34 years old', 34],
    ['age', 'I turned 35 last week', 35],
    ['monthly_budget', 'My monthly budget is $1,200.50 for 2026', 1200.5],
    ['number_of_cats', 'Has two cats', 2],
    ['marathons', 'Has run 7 marathons', 7],
    ['temperature', 'The temperature is about -4 outside, 20 inside', -4],
  ])('%s from "%s"', async (field, memory, value) => {
    expect(await fill({ [field]: number }, ['Likes tea', memory])).toEqual({ [field]: value });
  });

  it.each([
    ['age', 'My son is 5 years old'],
    ['age', 'Works with people of all ages'],
    ['sister_age', 'My age is 30'],
    ['cats', 'Has cats since 2019-05-01'],
    ['cats', 'Had 2 or 3 cats'],
    ['budget', 'Plans to make a budget of 500'],
    ['room', 'Lives in room A12'],
  ])('%s not from "%s"', async (field, memory) => {
    expect(await fill({ [field]: number }, [memory])).toEqual({ [field]: null });
  });

  it('within their bounds only, and whole where they must be', async () => {
    const properties = {
      age: { type: 'integer', maximum: 30 },
      height: integer,
      weight: { type: 'number', exclusiveMinimum: 61.5 },
    };
    const memories = ['Is 34 years old', 'Height is 1.72', 'Weight is 61.5'];

    expect(await fill(properties, memories)).toEqual({ age: null, height: null, weight: null });
  });
});

describe('yes and no are filled', () => {
  it.each([
    ['is_vegetarian', 'Is vegetarian', true],
    ['vegetarian', 'I am not vegetarian', false],
    ['has_children', 'Has no children', false],
    ['likes_coffee', "Doesn't like coffee", false],
    ['is_vegetarian', 'Used to be vegetarian', null],
    ['is_vegetarian', 'My sister is vegetarian', null],
    ['is_vegetarian', 'Likes tea', null],
    ['is_current', 'Likes tea', null],
  ])('%s from "%s"', async (field, memory, value) => {
    expect(await fill({ [field]: flag }, [memory])).toEqual({ [field]: value });
  });
});

describe('choices are filled', () => {
  const diet = { enum: ['vegan', 'vegetarian', 'no preference'] };

  it('by the one word that is stated', async () => {
    expect(await fill({ diet }, ['Likes tea', 'Is Vegetarian since May'])).toEqual({
      diet: 'vegetarian',
    });
  });

  it('not when two are stated, or the one is denied or somebody else', async () => {
    const memories = ['Is vegetarian', 'Was told to go vegan'];

    expect(await fill({ diet }, memories)).toEqual({ diet: null });
    expect(await fill({ diet }, ['Is not vegan'])).toEqual({ diet: null });
    expect(await fill({ diet }, ['My brother is vegan'])).toEqual({ diet: null });
  });

  it('by short words only beside the name of the field', async () => {
    const size = { enum: ['S', 'M', 'L'] };

    expect(await fill({ shirt_size: size }, ['Shirt size is M'])).toEqual({ shirt_size: 'M' });
    expect(await fill({ shirt_size: size }, ['Meets M at noon'])).toEqual({ shirt_size: null });
  });

  it('of one value by that value', async () => {
    expect(await fill({ kind: { const: 'profile' }, version: { enum: [2] } }, [])).toEqual({
      kind: 'profile',
      version: 2,
    });
  });
});

describe('lists are filled', () => {
  const older = storedMemory('Budget is 500', {
    id: 'm1',
    metadata: { project: 'Atlas', cost: 12 },
    categories: ['work', 'money'],
    created_at: '2026-01-02T03:04:05.000Z',
  });
  const newer = storedMemory('Likes tea', { id: 'm2' });

  it('with one item a memory, by the names of what a memory has', async () => {
    const items = {
      type: 'object',
      properties: {
        id: text,
        fact: text,
        category: text,
        categories: { type: 'array', items: text },
        createdAt: { type: 'string', format: 'date-time' },
        created: { type: 'string', format: 'date' },
        user_id: text,
        project: text,
        cost: integer,
        metadata: { type: 'object' },
        budget: number,
      },
    };

    const { facts } = await fill({ facts: { type: 'array', items } }, [newer, older]);

    expect(facts).toEqual([
      {
        id: 'm2',
        fact: 'Likes tea',
        category: null,
        categories: [],
        createdAt: '2026-03-14T09:26:53.000Z',
        created: '2026-03-14',
        user_id: 'alice',
        project: null,
        cost: null,
        metadata: {},
        budget: null,
      },
      {
        id: 'm1',
        fact: 'Budget is 500',
        category: 'work',
        categories: ['work', 'money'],
        createdAt: '2026-01-02T03:04:05.000Z',
        created: '2026-01-02',
        user_id: 'alice',
        project: 'Atlas',
        cost: 12,
        metadata: { project: 'Atlas', cost: 12 },
        budget: 500,
      },
    ]);
  });

  it('without items that nothing filled', async () => {
    const items = { type: 'object', properties: { budget: number } };

    expect(await fill({ plans: { type: 'array', items } }, [newer, older])).toEqual({
      plans: [{ budget: 500 }],
    });
  });

  it('with texts, categories and values that memories tell', async () => {
    const listOf = (items: Properties) => ({ type: 'array', items });
    const properties = {
      memories: listOf(text),
      categories: listOf(text),
      hobbies: listOf(text),
      allergies: listOf(text),
      pets: listOf(text),
      emails: listOf({ type: 'string', format: 'email' }),
      moods: listOf({ enum: ['happy', 'tired', 'bored'] }),
      planets: listOf(text),
    };
    const memories = [
      'Her hobbies are chess, climbing and pottery',
      'Enjoys chess',
      'Is allergic to nuts and pollen',
      'Has three pets at home',
      'Mail is me@example.com',
      'Was happy on Monday',
    ];

    expect(await fill(properties, [...memories, older])).toEqual({
      memories: [...memories, 'Budget is 500'],
      categories: ['work', 'money'],
      hobbies: ['chess', 'climbing', 'pottery'],
      allergies: ['nuts', 'pollen'],
      pets: ['Has three pets at home'],
      emails: ['me@example.com'],
      moods: ['happy'],
      planets: [],
    });
  });
});

describe('a memory’s own fields fill an object', () => {
  it('where all memories agree, and metadata by the newest', async () => {
    const memories = [
      storedMemory('Two', { metadata: { team: 'red' }, run_id: 'r2' }),
      storedMemory('One', { metadata: { team: 'blue' }, run_id: 'r1' }),
    ];

    expect(await fill({ user_id: text, run_id: text, team: text, memory: text }, memories)).toEqual(
      {
        user_id: 'alice',
        run_id: null,
        team: 'red',
        memory: null,
      },
    );
  });
});

describe('a schema', () => {
  it('of Pydantic is read: references, optional fields, nested models and enums', async () => {
    const schema = {
      $defs: {
        Diet: { enum: ['vegan', 'vegetarian'], title: 'Diet', type: 'string' },
        Address: {
          properties: {
            city: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, title: 'City' },
          },
          title: 'Address',
          type: 'object',
        },
        Person: {
          properties: {
            address: { $ref: '#/$defs/Address' },
            friend: { anyOf: [{ $ref: '#/$defs/Person' }, { type: 'null' }] },
            age: { type: ['integer', 'null'] },
            diet: { allOf: [{ $ref: '#/$defs/Diet' }], description: 'What she eats' },
            occ: { anyOf: [{ type: 'integer' }, { type: 'string' }], title: 'Occupation' },
          },
          title: 'Person',
          type: 'object',
        },
      },
      $ref: '#/$defs/Person',
    };
    const memories = ['Lives in Lisbon', 'Is 34 years old', 'Is vegan', 'Works as a baker in Graz'];

    const filled = await fillShape(
      compileSchema(schema),
      memories.map((memory) => storedMemory(memory)),
    );

    expect(filled).toEqual({
      address: { city: 'Lisbon' },
      friend: null,
      age: 34,
      diet: 'vegan',
      occ: 'baker',
    });
  });

  it('without properties is filled with nothing', async () => {
    expect(await fillShape(compileSchema({ type: 'object' }), [storedMemory('One')])).toEqual({});
  });

  it('keeps names as they are', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'a.b', 'Ünï'];
    const properties = Object.fromEntries(names.map((name) => [name, text]));

    expect(Object.keys(await fill(properties, ['One']))).toEqual(names);
  });

  it.each([
    ['of an array', { type: 'array', items: text }, 'must be the JSON Schema of an object'],
    ['of nothing', { a: 1 }, 'must be the JSON Schema of an object'],
    ['that leads nowhere', { $ref: '#/$defs/A' }, 'holds a $ref that leads nowhere: #/$defs/A'],
    ['that leads elsewhere', { $ref: 'https://example.com/a.json' }, 'leads nowhere'],
    ['nested too deep', nested(40), 'is nested more than 32 deep'],
  ])('%s is refused', (_name, schema, problem) => {
    expect(() => compileSchema(schema)).toThrow(problem);
  });

  it('that grows with each reference is refused', () => {
    const names = Array.from({ length: 12 }, (_, index) => `L${index}`);
    const $defs = Object.fromEntries(
      names.map((name, index) => {
        const next = { $ref: `#/$defs/L${index + 1}` };
        return [name, { type: 'object', properties: { a: next, b: next, c: next } }];
      }),
    );
    const schema = { $ref: '#/$defs/L0', $defs: { ...$defs, L12: text } };

    expect(() => compileSchema(schema)).toThrow('2000');
  });
});

function nested(depth: number): Properties {
  const leaf: Properties = { type: 'object' };
  return Array.from({ length: depth }).reduce<Properties>(
    (inner) => ({ type: 'object', properties: { inner } }),
    leaf,
  );
}
