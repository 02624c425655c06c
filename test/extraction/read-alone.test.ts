import { describe, expect, it } from 'vitest';
import { openExtractionModels } from '../../src/app/models/classifiers.ts';
import type { Message } from '../../src/contract/schemas/message.ts';
import { extractStatements } from '../../src/core/extraction/extract-statements.ts';

const models = openExtractionModels(() => {});

/** The memories of what a user says; what begins with "> " the assistant says. */
function remembered(...said: string[]): string[] {
  const messages = said.map((content): Message => {
    return content.startsWith('> ')
      ? { role: 'assistant', content: content.slice(2) }
      : { role: 'user', content };
  });
  return extractStatements(messages, models).statements.map(({ text }) => text);
}

describe('what does not say who or what it is about', () => {
  it.each([
    'Comes next Friday at 10.',
    '1.85 is what we have',
    "She's 31, a vet",
    'It needs 40 watts.',
    'They open at nine.',
    'We do Kyoto instead',
    'Yes but no coconut milk',
    'The blue one is better.',
    'Kommt am Freitag um 10.',
    'Sie ist 31 und Tierärztin.',
    'Elle a 31 ans, elle est vétérinaire.',
    'Viene el viernes a las 10.',
    'Ella tiene 31 años y es veterinaria.',
    'Viene venerdì alle 10.',
    'Lei ha 31 anni.',
    'Chega na sexta às 10.',
    'Ela tem 31 anos.',
    'Приедет в пятницу в 10.',
    'Ей 31 год, она ветеринар.',
    '来週の金曜10時に来ます。',
    '彼女は31歳で獣医です。',
    '下周五十点来。',
    '她31岁，是兽医。',
  ])('is not stored alone: "%s"', (said) => {
    expect(remembered(said)).toEqual([]);
  });

  it('stays together with the sentence that names it', () => {
    const technician = 'The kiln technician is Bart Claes.';
    const both = `${technician} Comes next Friday at 10.`;

    expect(remembered(both)).toEqual([both]);
    expect(remembered(technician, 'Comes next Friday at 10.')).toEqual([both]);
    expect(
      remembered('My sister Ann is visiting in May.', '> Anything to plan?', "She's 31, a vet"),
    ).toEqual(["User's sister Ann is visiting in May. She's 31, a vet"]);
  });

  it('stays together with the question that names it', () => {
    expect(remembered('> How old is your daughter Eva?', "She's 31, a vet")).toEqual([
      'Assistant: "How old is your daughter Eva?" User: "She\'s 31, a vet"',
    ]);
    expect(remembered('What can I give my nephew? He is 9 and loves trains.')).toEqual([
      'What can I give my nephew? He is 9 and loves trains.',
    ]);
  });

  it('is stored where the user asks to remember it', () => {
    expect(remembered('Remember that it needs 40 watts.')).toEqual(['it needs 40 watts.']);
  });
});

it.each([
  'vegan, no nuts',
  'born 1984 in Leeds',
  'allergic to penicillin',
  'Lives in Leeds with two cats.',
  "It's my birthday on 5 May.",
  'That bakery on Mill Road is my favourite.',
  'They moved my driving test to the 30th of October.',
  'Il corso di ceramica comincia a marzo.',
  'These days I work nights.',
  'One of my kids is autistic.',
  'Instead of coffee I drink matcha.',
  'Vivo en Lugo',
  'Lavoro a Trento come infermiere.',
  'Moro em Braga.',
  'Es mi hermana quien cocina en casa.',
  '毎朝走っています。',
  '住在杭州，做会计。',
])('what is about the user is stored alone: "%s"', (said) => {
  expect(remembered(said)).toHaveLength(1);
});

it.each([
  ["I'm 34. I'm vegan.", 'User is 34.', 'User is vegan.'],
  ['I get up at 6 a.m. I run before work.', 'User gets up at 6 a.m. User runs before work.'],
  [
    "My mum's a nurse. Hates sushi. Lives in Oslo.",
    "User's mum's a nurse. Hates sushi. Lives in Oslo.",
  ],
  ['I am vegetarian, my sister is not', 'User is vegetarian, their sister is not'],
  ["I'm 34. My wife is 31. She's a vet.", 'User is 34.', "User's wife is 31. She's a vet."],
  ['Ich bin 34. Meine Schwester wohnt in Bonn.', 'Ich bin 34.', 'Meine Schwester wohnt in Bonn.'],
  ['Я живу в доме 12. Мой сын живёт в Твери.', 'Я живу в доме 12.', 'Мой сын живёт в Твери.'],
  ['Am 3. Mai heirate ich.', 'Am 3. Mai heirate ich.'],
  ['Samstag, 3. Mai ist die Feier.', 'Samstag, 3. Mai ist die Feier.'],
  ['Ich wohne im 2. Stock links.', 'Ich wohne im 2. Stock links.'],
  ['Meine Tochter ist zum 3. Mal Tante.', 'Meine Tochter ist zum 3. Mal Tante.'],
])('"%s" is one memory a fact, each of which is read alone', (said, ...memories) => {
  expect(remembered(said)).toEqual(memories);
});

it.each([
  ['fyi i work nights', 'User works nights'],
  ["Just so you know I'm deaf in one ear.", 'User is deaf in one ear.'],
  ["Correction: I'm allergic to kiwis.", 'User is allergic to kiwis.'],
  ['Korrektur: Ich bin gegen Kiwis allergisch.', 'Ich bin gegen Kiwis allergisch.'],
])('"%s" is stored without the words that announce it', (said, memory) => {
  expect(remembered(said)).toEqual([memory]);
});

it.each([
  "Proofread my son's essay: My name is Leo. I am 9 years old.",
  'My sister told me this: I am pregnant. I no longer work at Bosch.',
  'My brother texted: Hi. I am not vegetarian anymore.',
  "Song lyrics: I'm a loser. I live in a yellow submarine.",
  'Mein Bruder schrieb: Ich bin umgezogen. Ich wohne jetzt in Köln.',
  "Traduis : je suis allergique aux noix. J'habite à Lyon.",
  'Mi hermano escribió: mi casa está en Lugo.',
  'Mia sorella ha scritto: la mia casa è a Bari.',
  'O meu irmão escreveu: a minha casa é em Braga.',
  'Брат написал: я переехал в Тверь. Я вегетарианец.',
  '妹が言いました：私は京都に住んでいます。',
  '妹妹说：我住在杭州。我吃素。',
])('nothing is stored of what somebody else says of themselves: "%s"', (said) => {
  expect(remembered(said)).toEqual([]);
});

it.each([
  ['My doctor said: no salt. I live in Rome.', 2],
  ["I told my boss: I'm leaving in May.", 1],
  ['My email: nora@example.com. I live in Rome.', 2],
  ["About me: I'm Nora. I live in Rome.", 2],
])('what the user announces is stored: "%s"', (said, count) => {
  expect(remembered(said)).toHaveLength(count);
});
