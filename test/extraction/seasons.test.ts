import { describe, expect, it } from 'vitest';
import { createRuleExtractor } from '../../src/core/extraction/rule-extractor.ts';
import { createDateReader } from '../../src/providers/dates/date-reader.ts';

const rules = createRuleExtractor({ dates: createDateReader() });

/** The first day of what somebody tells, and how exact that is; null where nothing tells. */
async function timeOf(content: string, day: string): Promise<string | null> {
  const said_at = `${day}T09:26:53.000Z`;
  const settings = { includes: null, excludes: null, instructions: null, categories: null };
  const messages = [{ role: 'user', content }];
  const conversation = { messages, known: [], now: said_at, said_at, settings, graph: false };
  const { decisions } = await rules.extract(conversation, new AbortController().signal);
  const [{ occurred = null } = {}] = decisions;
  return occurred === null ? null : `${occurred.at.slice(0, 10)} ${occurred.granularity}`;
}

const inMarch = '2026-03-14';

describe('what happens in a season', () => {
  it.each([
    ['I learned to surf last summer.', '2025-06-01'],
    ['I broke my arm last fall.', '2025-09-01'],
    ['We met in the spring of 2024.', '2024-03-01'],
    ['I visited Norway in winter 2019.', '2019-12-01'],
    ['We rented a cabin in the summer of last year.', '2025-06-01'],
    ['I am going to move to Bonn next autumn.', '2026-09-01'],
    ['I am going to move to Bonn this summer.', '2026-06-01'],
    ['I will take a cooking course in the fall.', '2026-09-01'],
    ['I moved here in the fall of 2019.', '2019-09-01'],
    ['I started my job in Fall 2021.', '2021-09-01'],
    ["We got married in the summer of '98.", '1998-06-01'],
    ['Next year we are going to travel to Italy in the summer.', '2027-06-01'],
    ['Nächstes Jahr will ich mit Anna im Sommer nach Rom ziehen.', '2027-06-01'],
    ['I learned to ski this winter.', '2025-12-01'],
    ['Ich habe letzten Sommer surfen gelernt.', '2025-06-01'],
    ['Ich war im Frühjahr 2024 in Rom.', '2024-03-01'],
    ['Ich war im Sommer letzten Jahres in Rom.', '2025-06-01'],
    ['Ich will diesen Herbst nach Rom ziehen.', '2026-09-01'],
    ['Ich ziehe im nächsten Winter nach Rom.', '2026-12-01'],
    ["J'ai appris à nager l'été dernier.", '2025-06-01'],
    ['Je vais à Rome cet automne.', '2026-09-01'],
    ["J'ai vécu à Lyon en été 2019.", '2019-06-01'],
    ["Je vais déménager à Nice l'hiver prochain.", '2026-12-01'],
    ['Aprendí a nadar el verano pasado.', '2025-06-01'],
    ['Voy a viajar a Roma este otoño.', '2026-09-01'],
    ['Conocí a mi mujer en la primavera de 2024.', '2024-03-01'],
    ['Estuve en Roma en el verano del año pasado.', '2025-06-01'],
    ["Ho imparato a nuotare l'estate scorsa.", '2025-06-01'],
    ["Andrò a Parigi quest'autunno con mia sorella.", '2026-09-01'],
    ['Ho vissuto a Parigi nella primavera del 2024.', '2024-03-01'],
    ['Aprendi a nadar no verão passado.', '2025-06-01'],
    ['Vou viajar para Roma neste outono.', '2026-09-01'],
    ['Conheci a minha mulher na primavera de 2024.', '2024-03-01'],
    ['Прошлым летом я научился плавать.', '2025-06-01'],
    ['Я ездил в Рим летом прошлого года.', '2025-06-01'],
    ['Весной 2024 года я жил в Риме.', '2024-03-01'],
    ['Этой осенью я поеду в Рим.', '2026-09-01'],
    ['去年の夏に泳ぎを習いました。', '2025-06-01'],
    ['今年の秋にローマへ行く予定です。', '2026-09-01'],
    ['2024年の春にローマに住んでいました。', '2024-03-01'],
    ['去年夏天我学会了游泳。', '2025-06-01'],
    ['我打算明年春天去罗马。', '2027-03-01'],
    ['2024年春天我住在罗马。', '2024-03-01'],
  ])('"%s", said in March 2026, begins on %s', async (told, begin) => {
    expect(await timeOf(told, inMarch)).toBe(`${begin} season`);
  });

  it.each([
    ['2026-07-20', '2025-06-01'],
    ['2026-09-01', '2026-06-01'],
    ['2027-01-10', '2026-06-01'],
  ])('is over where it was the last one: said on %s, it is that of %s', async (day, begin) => {
    expect(await timeOf('I learned to surf last summer.', day)).toBe(`${begin} season`);
  });

  it.each([
    ['I want to learn to ski this winter.', '2026-10-05', '2026-12-01'],
    ['I want to learn to ski this winter.', '2027-01-10', '2026-12-01'],
    ['I want to learn to ski next winter.', '2027-01-10', '2027-12-01'],
    ['I want to learn to surf next summer.', '2026-07-20', '2027-06-01'],
  ])('"%s", said on %s, begins on %s', async (told, day, begin) => {
    expect(await timeOf(told, day)).toBe(`${begin} season`);
  });

  it.each([
    ['I broke my arm on 5 July 2023, in the summer.', '2023-07-05 day'],
    ['I was born in winter, far from the city.', null],
    ['I love long walks in autumn with my dog.', null],
    ['I sold my estate agency for good.', null],
    ["J'ai été malade pendant longtemps.", null],
    ["In 2028 I'm going to retire in the winter.", '2028-01-01 year'],
    ['I had a bad fall in 2019 on the ice.', '2019-01-01 year'],
    ['My rent will fall next year by a third.', '2027-01-01 year'],
    ['Le contrat de mon loyer a été passé avec Orange.', null],
    ['2024年春节我回老家了。', '2024-01-01 year'],
    ['我打算明年在夏威夷结婚。', '2027-01-01 year'],
    ['2023年秋田に旅行しました。', '2023-01-01 year'],
  ])('is not what "%s" tells', async (told, time) => {
    expect(await timeOf(told, inMarch)).toBe(time);
  });
});
