import { expect, it } from 'vitest';
import { saysOneThing } from '../../src/core/extraction/single-fact.ts';

it.each([
  'User lives in San Francisco',
  "User's favourite colour is dark green",
  'User is allergic to tree nuts',
  'User works as a nurse',
  'User earns 62,500 euros a year',
  'User gets up at 6:30',
  'User has lived in Oslo since 2019',
  "User's website is https://ana.dev",
  "User's sister Ana lives in Kiel",
  "User's doctor is Dr. Weber.",
  'Ich wohne in Köln',
  'Der Nutzer arbeitet als Lehrer',
  "L'utilisateur habite à Lyon",
  'Je suis allergique aux arachides',
  "Ma fille s'appelle Zoé",
  'El usuario vive en Sevilla',
  'La usuaria trabaja como enfermera',
  "L'utente suona il violino",
  'Mio fratello si chiama Luca',
  'O usuário mora em Lisboa',
  'Eu gosto mais de chá',
  'Пользователь живёт в Казани',
  'Моя сестра любит орхидеи',
  '東京に住んでいます',
  'ユーザーはピーナッツアレルギーがある',
  '用户住在杭州',
  '我喜欢绿茶。',
])('says one thing: %s', (memory) => {
  expect(saysOneThing(memory)).toBe(true);
});

it.each([
  ['', 'nothing'],
  ['User is allergic to peanuts and plays the cello', 'two clauses'],
  ['We have two dogs, Rex and Bella', 'a list'],
  ['User likes jazz & hiking', 'a list'],
  ['User likes tea/coffee', 'a list'],
  ['User has a brother who lives in Bergen', 'a relative clause'],
  ['User lives in Porto with my wife Ana', 'somebody by the way'],
  ['User visits his sister Ana in Kiel', 'somebody by the way'],
  ['User works at Bosch as an engineer', 'where and as what'],
  ['User works as a nurse in Oslo', 'where and as what'],
  ['My boss, Ingrid, is from Bern', 'an apposition'],
  ['My boss (Ingrid) is from Bern', 'an apposition'],
  ['User plays chess. User sings', 'two sentences'],
  ['Home: Leeds', 'a heading'],
  ['User moved because the rent went up', 'a reason'],
  ['Ich wohne in Köln und arbeite bei Ford', 'two clauses'],
  ['Ich besuche meine Schwester Ana', 'somebody by the way'],
  ['Der Nutzer hat einen Bruder, der in Bonn lebt', 'a relative clause'],
  ['Der Nutzer arbeitet als Lehrer in Bonn', 'where and as what'],
  ['Je suis végétarien et allergique aux noix', 'two things'],
  ["L'utilisateur a un frère qui vit à Lyon", 'a relative clause'],
  ['El usuario canta y baila', 'two things'],
  ['El usuario vive en Sevilla con su mujer Ana', 'somebody by the way'],
  ["L'utente vive a Roma e lavora a Ostia", 'two clauses'],
  ["L'utente ha un fratello che studia legge", 'a relative clause'],
  ['O usuário tem um gato e um cão', 'a list'],
  ['O usuário mora com a irmã', 'somebody by the way'],
  ['Пользователь живёт в Казани и работает врачом', 'two clauses'],
  ['У пользователя есть кот и собака', 'a list'],
  ['Пользователь живёт с сестрой', 'somebody by the way'],
  ['東京に住んでいて、看護師です', 'two clauses'],
  ['犬と猫を飼っています', 'a list'],
  ['大阪で看護師として働いています', 'where and as what'],
  ['用户喜欢绿茶和咖啡', 'a list'],
  ['我住在杭州，在医院工作', 'two clauses'],
  [`User likes ${'very '.repeat(20)}long walks`, 'much'],
])('does not say one thing: %s (%s)', (memory) => {
  expect(saysOneThing(memory)).toBe(false);
});

it('is read at once, however long a memory is', () => {
  const start = performance.now();
  for (let count = 0; count < 100; count += 1) saysOneThing('as in his a '.repeat(50_000));

  expect(performance.now() - start).toBeLessThan(2000);
});
