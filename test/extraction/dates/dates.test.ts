import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVerbatimDater } from '../../../src/core/extraction/dates/text-dates.ts';
import { createRuleExtractor } from '../../../src/core/extraction/rule-extractor.ts';
import { createDateReader } from '../../../src/providers/dates/date-reader.ts';
import { type Engine, owner, startEngine } from '../../support/engine.ts';

const rules = createRuleExtractor({ dates: createDateReader() });

/** A Monday. */
const monday = '2026-11-23T09:00:00.000Z';

type Told = { said_at?: string };

async function decisionsOf(content: string, { said_at = monday }: Told) {
  const settings = { includes: null, excludes: null, instructions: null, categories: null };
  const messages = [{ role: 'user', content }];
  const about = { now: said_at, said_at, settings, graph: false };
  const conversation = { messages, known: [], ...about };
  const { decisions } = await rules.extract(conversation, new AbortController().signal);
  return decisions;
}

/** When it is that somebody tells of; null for no single day. */
async function dateOf(content: string, told: Told = {}) {
  const [{ occurred = null } = {}] = await decisionsOf(content, told);
  if (occurred === null) return null;
  return occurred.granularity === 'minute' ? occurred.at : occurred.at.slice(0, 10);
}

type Sentence = {
  text: string;
  said_at: string;
  expected: { at: string; granularity: string } | null;
};

/** Of a set of sentences in nine languages, the share whose date is found, or rightly none. */
async function shareRight(set: string): Promise<number> {
  const verbatim = createVerbatimDater(createDateReader());
  const lines = readFileSync(`test/extraction/dates/${set}.jsonl`, 'utf8').trim().split('\n');
  const sentences = lines.map((line): Sentence => JSON.parse(line));
  let right = 0;
  for (const { text, said_at, expected } of sentences) {
    const found = await verbatim(text, { said_at, timezone: 'UTC' });
    const isDate = expected !== null && found?.at.startsWith(expected.at);
    if (expected === null ? found === null : isDate) right += 1;
  }
  return right / sentences.length;
}

it.each([
  'I have physio on Tuesday evenings.',
  'I play squash every Friday at 6pm.',
  'I work Monday to Thursday.',
  'I go to the office on weekdays.',
  'I see my mentor on the first Monday of every month.',
  'My payday is always the 25th.',
  'Ich habe dienstags Training.',
  'Jeden zweiten Montag habe ich Chorprobe.',
  "J'ai cours tous les lundis soir.",
  'Los lunes tengo clase de piano.',
  'Ogni lunedì ho lezione di chitarra.',
  'Toda quarta-feira tenho aula de inglês.',
  'По вторникам у меня бассейн.',
  '毎週火曜日にジムに行きます。',
  '每周五我打羽毛球。',
])('what recurs is no single day: "%s"', async (content) => {
  expect(await dateOf(content)).toBeNull();
});

it.each([
  'My colleague April joined the team.',
  'June is my sister.',
  'My manager is called April.',
])('a month that is a name is no date: "%s"', async (content) => {
  expect(await dateOf(content)).toBeNull();
});

it.each([
  ['I moved to Rome in June.', '2026-06-01'],
  ['April and I got married last August.', '2026-08-01'],
  ['My lease ended on 3 April.', '2026-04-03'],
])('a month that is told as a time is a date: "%s"', async (content, day) => {
  expect(await dateOf(content)).toBe(day);
});

it.each([
  'My bread needs 3/8 cup of oil.',
  'I rated that hotel 4/5.',
  'My shop is open 24/7.',
  'I had 1/2 a pizza.',
  'I fly home in a few days.',
  'We met a couple of weeks ago.',
  'Ich ziehe in ein paar Wochen um.',
  'Je pars dans quelques jours.',
  'Vuelvo dentro de unos días.',
])('neither a fraction nor a vague span is a date: "%s"', async (content) => {
  expect(await dateOf(content)).toBeNull();
});

it.each([
  ['My new job is starting Monday.', '2026-11-30'],
  ['I am on leave from Wednesday.', '2026-11-25'],
  ['The course begins on Thursday.', '2026-11-26'],
  ['We met on Monday.', '2026-11-16'],
  ['My flight is on 12/5.', '2026-12-05'],
])('a weekday or day is the one that is meant: "%s"', async (content, expected) => {
  expect(await dateOf(content)).toBe(expected);
});

it.each([
  ['My rent is due on the 28th.', '2026-11-28'],
  ['My lease ends on the 12th.', '2026-12-12'],
  ['We moved in on the 20th.', '2026-11-20'],
  ['I saw the doctor on the 28th.', '2026-10-28'],
  ['Ich habe am 28. einen Termin.', '2026-11-28'],
  ['Tengo dentista el 28.', '2026-11-28'],
  ['Ho il dentista il 28.', '2026-11-28'],
  ['У меня встреча 28 числа.', '2026-11-28'],
  ['28日に面接があります。', '2026-11-28'],
])('a day without a month is the nearest that fits: "%s"', async (content, expected) => {
  expect(await dateOf(content)).toBe(expected);
});

it.each([
  ['2026-01-31T09:00:00.000Z', 'My rent is due on the 30th.', '2026-03-30'],
  ['2026-05-31T09:00:00.000Z', 'My rent is due on the 31st.', '2026-05-31'],
  ['2026-03-01T09:00:00.000Z', 'I saw the doctor on the 30th.', '2026-01-30'],
])('at %s, "%s" is of a month that has the day', async (said_at, content, expected) => {
  expect(await dateOf(content, { said_at })).toBe(expected);
});

it('what is on a day is to come', async () => {
  expect(await dateOf('My exam is on 3 November.')).toBe('2027-11-03');
});

it.each([
  ['The dentist is Wednesday next week.', '2026-12-02'],
  ['Der Zahnarzt ist am Mittwoch nächster Woche.', '2026-12-02'],
  ["J'ai rendez-vous mercredi de la semaine prochaine.", '2026-12-02'],
  ['Tengo dentista el miércoles de la semana que viene.', '2026-12-02'],
  ['Ho il dentista mercoledì della prossima settimana.', '2026-12-02'],
  ['Tenho dentista na quarta-feira da semana que vem.', '2026-12-02'],
  ['К зубному иду в среду на следующей неделе.', '2026-12-02'],
  ['歯医者は来週の水曜日です。', '2026-12-02'],
  ['下周三我要看牙医。', '2026-12-02'],
])('a weekday of another week is in it: "%s"', async (content, expected) => {
  expect(await dateOf(content)).toBe(expected);
});

it.each([
  ['The board meets on the first Monday in February.', '2027-02-01'],
  ['Am ersten Montag im Februar ist Elternabend.', '2027-02-01'],
  ['La réunion a lieu le premier lundi de février.', '2027-02-01'],
  ['La reunión es el primer lunes de febrero.', '2027-02-01'],
  ['La riunione è il primo lunedì di febbraio.', '2027-02-01'],
  ['A reunião é na primeira segunda-feira de fevereiro.', '2027-02-01'],
  ['Собрание в первый понедельник февраля.', '2027-02-01'],
  ['会議は2月の第1月曜日にあります。', '2027-02-01'],
  ['会议在二月的第一个星期一。', '2027-02-01'],
  ['My review is on the last Friday of January.', '2027-01-29'],
])('weekdays of a month are counted: "%s"', async (content, expected) => {
  expect(await dateOf(content)).toBe(expected);
});

it.each([
  ['My exam is in two weeks to the day.', '2026-12-07'],
  ['The delivery comes a week from Friday.', '2026-12-04'],
  ['Heute in zwei Wochen habe ich Prüfung.', '2026-12-07'],
  ['Mon examen est dans deux semaines jour pour jour.', '2026-12-07'],
  ['El examen es dentro de dos semanas exactas.', '2026-12-07'],
  ["L'esame è tra due settimane esatte.", '2026-12-07'],
  ['A prova é daqui a duas semanas.', '2026-12-07'],
  ['Экзамен ровно через две недели.', '2026-12-07'],
  ['試験はちょうど2週間後です。', '2026-12-07'],
  ['考试在整整两周后。', '2026-12-07'],
])('weeks are counted from the day: "%s"', async (content, expected) => {
  expect(await dateOf(content)).toBe(expected);
});

it.each([
  ['We fly out on Christmas Eve.', '2026-12-24'],
  ["We got engaged on Valentine's Day.", '2026-02-14'],
  ['An Heiligabend kommen meine Eltern.', '2026-12-24'],
  ['Nous partons le jour de Noël.', '2026-12-25'],
  ['A Natale andiamo dai nonni.', '2026-12-25'],
  ['Na véspera de Natal vou jantar com os meus pais.', '2026-12-24'],
  ['大晦日は実家で過ごします。', '2026-12-31'],
  ['平安夜我们去奶奶家。', '2026-12-24'],
  ['We always go skiing at Christmas.', null],
  ['My favourite holiday is Christmas.', null],
])('a holiday on which something takes place is a day: "%s"', async (content, expected) => {
  expect(await dateOf(content)).toBe(expected);
});

it.each([
  ['My interview is on Thursday at half past three.', '2026-11-26T15:30:00.000Z'],
  ['The train leaves on 9 December at quarter to eight.', '2026-12-09T07:45:00.000Z'],
  ['Das Gespräch ist am Donnerstag um halb neun.', '2026-11-26T08:30:00.000Z'],
  ["L'entretien est jeudi à huit heures et demie.", '2026-11-26T08:30:00.000Z'],
  ['La entrevista es el jueves a las ocho y media.', '2026-11-26T08:30:00.000Z'],
  ['Il colloquio è giovedì alle otto e mezza.', '2026-11-26T08:30:00.000Z'],
  ['A entrevista é na quinta às oito e meia.', '2026-11-26T08:30:00.000Z'],
  ['Собеседование в четверг в половине девятого.', '2026-11-26T08:30:00.000Z'],
  ['明日の正午に田中さんと昼食を取ります。', '2026-11-24T12:00:00.000Z'],
  ['面试在星期四下午三点半。', '2026-11-26T15:30:00.000Z'],
])('an hour in words is kept: "%s"', async (content, expected) => {
  expect(await dateOf(content)).toBe(expected);
});

it('a day is told by the clause that names it', async () => {
  const content = 'Ya compramos las entradas para el concierto, es el sábado 18 de abril.';
  const said_at = '2026-02-10T12:00:00.000Z';
  expect(await dateOf(content, { said_at })).toBe('2026-04-18');
  expect(await dateOf('Am 12.05. habe ich einen Termin.', { said_at })).toBe('2026-05-12');
});

it.each([
  'I will be in Crete from 28 December to 3 January.',
  'My sister is visiting December 28 to January 3.',
  'Ich habe vom 28.12. bis 3.1. Urlaub.',
  'Je suis à Rome du 28 décembre au 3 janvier.',
  'Estaré en Sevilla del 28 de diciembre al 3 de enero.',
  'Sono a Roma dal 28 dicembre al 3 gennaio.',
  'Estou no Porto de 28 de dezembro a 3 de janeiro.',
  'Я в отпуске с 28 декабря по 3 января.',
  '12月28日から1月3日まで休みます。',
  '我12月28号到1月3号休假。',
])('what takes days is true until the last of them is over: "%s"', async (content) => {
  const [{ validity = null } = {}] = await decisionsOf(content, { said_at: monday });
  expect(validity).toEqual({
    valid_from: '2026-12-28T00:00:00.000Z',
    valid_until: '2027-01-04T00:00:00.000Z',
  });
});

describe('in a zone', () => {
  const zones = ['America/Los_Angeles', 'Asia/Tokyo', 'Europe/Berlin', 'America/New_York', 'UTC'];
  const engines = new Map<string, Engine>();
  beforeAll(async () => {
    for (const timezone of zones) engines.set(timezone, await startEngine({ timezone }));
  });
  afterAll(async () => {
    for (const engine of engines.values()) await engine.stop();
  });

  /** When it is that a stored memory tells of. */
  const stored = async (timezone: string, add: Record<string, unknown>, said_at: string) => {
    const engine = engines.get(timezone) as Engine;
    const timestamp = Date.parse(said_at) / 1000;
    const input = { ...add, user_id: said_at, timestamp, async_mode: false };
    await engine.invoke('add_memory', input, { caller: owner });
    const found = await engine.invoke('get_memories', { user_id: said_at }, { caller: owner });
    return found.results[0]?.occurred_at;
  };

  it.each([
    ['America/Los_Angeles', '2026-11-24T03:00:00.000Z', '2026-11-24'],
    ['Asia/Tokyo', '2026-11-23T20:00:00.000Z', '2026-11-25'],
    ['UTC', '2026-11-23T20:00:00.000Z', '2026-11-24'],
  ])('"tomorrow" is the next day in %s', async (timezone, said_at, expected) => {
    const content = 'I fly to Rome tomorrow.';
    const add = { messages: [{ role: 'user', content }] };
    expect(await stored(timezone, add, said_at)).toBe(`${expected}T00:00:00.000Z`);
  });

  it.each([
    ['Europe/Berlin', '2026-11-23T09:00:00.000Z', '2026-11-27T14:00:00.000Z'],
    // Summer time ends between the message and the day.
    ['Europe/Berlin', '2026-10-23T09:00:00.000Z', '2026-10-30T14:00:00.000Z'],
    ['America/New_York', '2026-07-13T09:00:00.000Z', '2026-07-17T19:00:00.000Z'],
  ])('"at 3 pm" is a time of %s, in a conversation and word for word', async (...told) => {
    const [timezone, said_at, expected] = told;
    const text = 'My interview is on Friday at 3 pm.';
    const messages = [{ role: 'user', content: text }];
    expect(await stored(timezone, { messages }, said_at)).toBe(expected);
    expect(await stored(timezone, { text }, said_at.replace('00.000', '01.000'))).toBe(expected);
  });
});

it('a text that is stored as it is has the date that it names', async () => {
  const verbatim = createVerbatimDater(createDateReader());
  const about = { said_at: monday, timezone: 'UTC' };
  expect(await verbatim('Dentist on Friday at 15:00', about)).toEqual({
    at: '2026-11-27T15:00:00.000Z',
    granularity: 'minute',
  });
  expect(await verbatim('The wifi password is on the fridge', about)).toBeNull();
  expect(await verbatim(`${'word '.repeat(200)} on Friday`, about)).toBeNull();
});

it.each([
  ['development', 0.96],
  ['acceptance', 0.9],
])('dates of the %s set are right', async (set, least) => {
  expect(await shareRight(set)).toBeGreaterThanOrEqual(least);
});
