import { describe, expect, it } from 'vitest';
import { openExtractionModels } from '../../src/app/models/classifiers.ts';
import type { Message } from '../../src/contract/schemas/message.ts';
import { extractStatements } from '../../src/core/extraction/extract-statements.ts';
import { owner, startEngine } from '../support/engine.ts';

const models = openExtractionModels(() => {});

function remembered(...said: string[]): string[] {
  const messages = said.map((content, at): Message => {
    return { role: (said.length - at) % 2 === 1 ? 'user' : 'assistant', content };
  });
  return extractStatements(messages, models).statements.map(({ text }) => text);
}

describe('what the user asks to remember is stored, however it is asked', () => {
  it.each([
    [
      'Can you remind me: the kiln technician, Bart Claes, comes next Friday at 10.',
      'The kiln technician, Bart Claes, comes next Friday at 10.',
    ],
    ['Can you remember this: my locker number is 482.', "User's locker number is 482."],
    ['Can you remind me that Bart comes next Friday at 10?', 'Bart comes next Friday at 10.'],
    ['note to self: the bins go out on Tuesdays', 'The bins go out on Tuesdays'],
    ['please keep in mind, the gate code is 4471', 'The gate code is 4471'],
    ['Remember this. My locker number is 482.', "User's locker number is 482."],
    ['Merk dir das: Spind 482 ist meiner', 'Spind 482 ist meiner'],
    ['¿Puedes recordar esto: mi taquilla es la 482?', 'mi taquilla es la 482.'],
    ['Peux-tu retenir ceci : mon casier est le 482 ?', 'mon casier est le 482.'],
    ['Ricordami che Bart viene venerdì', 'Bart viene venerdì'],
    ['Lembrete: o lixo sai na terça', 'o lixo sai na terça'],
    ['Можешь запомнить, что мой шкафчик 482?', 'мой шкафчик 482.'],
    ['ロッカー番号は482だと覚えておいてください', 'ロッカー番号は482だ'],
    ['你能记住我的柜号是482吗？', '我的柜号是482'],
  ])('%s', (said, fact) => {
    expect(remembered(said)).toEqual([fact]);
  });

  it('and a question about what is remembered is none', () => {
    expect(remembered('Can you remind me: what is my locker number?')).toEqual([]);
  });
});

describe('a memory is read alone', () => {
  it('so people are named before they are spoken of', () => {
    expect(remembered('My kids are Tom and Ann. They hate cilantro.')).toEqual([
      "User's kids are Tom and Ann. They hate cilantro.",
    ]);

    const later =
      "She's been diabetic since her childhood and needs insulin before every meal of the day.";
    expect(remembered('My mum Ruth lives in Leeds.', 'How nice!', later)).toEqual([
      `User's mum Ruth lives in Leeds. ${later}`,
    ]);
  });

  it.each([
    ["Yes but I don't eat coconut", "User doesn't eat coconut"],
    ["Quick intro: I'm Nora, a potter in Ghent", 'User is Nora, a potter in Ghent'],
    ['Ok I booked the flight to Oslo for 3 May', 'User booked the flight to Oslo for 3 May'],
    [') el viernes que viene tenemos cena en Vigo', 'el viernes que viene tenemos cena en Vigo'],
  ])('so fillers before it go: %s', (said, fact) => {
    expect(remembered(said)).toEqual([fact]);
  });
});

it.each([
  'works now, thx',
  'ugh mondays',
  "il neige depuis ce matin c'est trop beau",
  'che freddo stamattina, mamma mia',
  'сижу в пробке на мосту уже полчаса',
  'geht wieder',
])('what passes is not stored: %s', (said) => {
  expect(remembered(said)).toEqual([]);
});

it.each([
  { messages: [{ role: 'user', content: 'My AWS key is AKIAQ3XW7ZLM0RTYUIO9' }] },
  { text: 'My AWS key is AKIAQ3XW7ZLM0RTYUIO9 and password is swordfish99' },
])('of a secret alone nothing is stored, and the result says why', async (input) => {
  const engine = await startEngine();
  try {
    const { results } = await engine.invoke(
      'add_memory',
      { ...input, user_id: 'ada', async_mode: false },
      { caller: owner },
    );
    expect(results.map(({ event }) => event)).toEqual(['NOOP']);
    expect(results[0]?.reason).toContain('a secret was removed');
  } finally {
    await engine.stop();
  }
});
