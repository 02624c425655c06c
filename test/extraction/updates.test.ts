import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRuleExtractor } from '../../src/core/extraction/rule-extractor.ts';
import { createDateReader } from '../../src/providers/dates/date-reader.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { unknownMemory } from '../support/language-model.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({ tables: true });
});
afterAll(() => engine.stop());

let users = 0;

type Adds = readonly (string | readonly string[])[];

/** The memories of a user who says this, an add a day for each. */
async function memoriesOf(...adds: Adds) {
  const user_id = `user ${users++}`;
  for (const add of adds) {
    engine.clock.advance(24 * 60 * 60 * 1000);
    const messages = [add].flat().map((content) => ({ role: 'user', content }));
    const input = { messages, user_id, async_mode: false };
    await engine.invoke('add_memory', input, { caller: owner });
  }
  const { results } = await engine.invoke('get_memories', { user_id }, { caller: owner });
  return results;
}

async function storedOf(...adds: Adds): Promise<string[]> {
  return (await memoriesOf(...adds)).map(({ memory }) => memory ?? '');
}

/** Whether what is said first is still there, and whether what is said then names it. */
async function outcomeOf(before: string, after: string): Promise<'gone' | 'named' | 'kept'> {
  const memories = await memoriesOf(before, after);
  if (memories.length === 1) return 'gone';
  return memories.some(({ may_replace }) => may_replace !== undefined) ? 'named' : 'kept';
}

it.each([
  ['I live in Berlin.', 'We moved to Kubernetes last month.'],
  ['I live in Berlin.', 'We moved to Slack.'],
  ['I live in Berlin.', "We've recently moved to PostgreSQL."],
  ['I live in Berlin.', 'We moved to Friday for our weekly sync.'],
  ['I live in Berlin.', 'We moved from Slack to Teams.'],
  ['Я живу в Берлине.', 'Мы переехали на Kubernetes.'],
  ['Я живу в Берлине.', 'Мы переехали в Slack на прошлой неделе.'],
  ['Я живу в Берлине.', 'Мы переехали с Jira на Трелло.'],
  ['Moro em Berlim.', 'Mudamos para o Slack.'],
  ['Vivo en Berlín.', 'Nos hemos mudado a Slack.'],
  ['Ich arbeite bei Siemens.', 'Ich habe Netflix gekündigt.'],
  ['Ich arbeite bei Siemens.', 'Ich habe Spotify gekündigt, weil es zu teuer wurde.'],
  ['Ich arbeite bei Siemens.', 'Hab Amazon gekündigt.'],
  ['My manager is Anna.', 'The new manager is on vacation.'],
  ['My manager is Anna.', 'The new manager is French.'],
  ['My manager is Anna.', 'My manager is on vacation.'],
  ['My dentist is Dr. Weber.', 'The new dentist is really expensive.'],
  ['My boss is Carol.', 'Our new boss is nice.'],
  ['My landlord is Mr. Hill.', 'The new landlord is raising the rent.'],
  ['My email is ada@example.com.', 'The new email is in the drafts folder.'],
  ['My salary is 90k.', 'The new salary is 3 weeks late.'],
  ['I work at Google.', 'Started a new job in Jenkins for the nightly build.'],
  ['I work at Google.', 'Started a new job search tool.'],
  ['Tenho 34 anos.', 'Tenho 3 hoje.'],
  ['Tenho 34 anos.', 'Fiz 5 hoje.'],
  ['I love my sister.', "I don't live with my sister anymore."],
  ['I love my sister.', "I don't eat with my sister anymore."],
  ['I love my two dogs.', "We don't have two dogs anymore."],
  ['I like Anna.', "I don't work with Anna anymore."],
  ['I love Anna.', "I don't like working with Anna anymore."],
  ['I love the office.', "We aren't in the office on Fridays anymore."],
  ['I am planning to buy a couch next week.', 'The couch was moved to the bedroom.'],
  ['I am planning to buy a couch next week.', 'The couch was moved to Friday.'],
  ['My mother visits next week.', 'My mother was moved to intensive care.'],
  ['I want to learn the data model for the exam.', 'The data was moved to Postgres.'],
  ['I plan to buy a new car next month.', 'My car was moved to a garage.'],
  ['The sofa arrives next Friday.', 'The sofa was moved to the room, and Anna comes on Friday.'],
  ['Das Sofa kommt morgen.', 'Das Sofa wurde auf den Balkon verschoben.'],
  ['My yoga class is every Tuesday.', 'The meeting was moved from Tuesday to Friday.'],
  ['I stored the parcel A17 in the cellar.', 'I stored the parcel B23 in the cellar.'],
  ['My locker is 1000-1-4.', 'Alex has visited place 0-0-1.'],
  ['Our gate code is 4-7-1.', 'Anna has visited house 2-2-1.'],
])('"%s" stays beside "%s"', async (before, after) => {
  const stored = await storedOf(before, after);

  expect(stored).toHaveLength(2);
  expect(stored).toEqual(expect.arrayContaining(await storedOf(before)));
});

it.each([
  ['I live in Berlin.', 'I moved to Rome.'],
  ['Я живу в Берлине.', 'Мы переехали из Берлина в Рим.'],
  ['My manager is Anna.', 'The new manager is Paul.'],
  ['My salary is 90k.', 'My new salary is $95,000.'],
  ['Tenho 34 anos.', 'Fiz 35 anos ontem.'],
  ['I work at Google.', 'I work at Apple now.'],
  ['Ich wohne in Köln.', 'Ich wohne jetzt in Bonn.'],
  ["J'habite à Nice.", "J'habite maintenant à Brest."],
  ['Vivo en Vigo.', 'Ahora vivo en Cádiz.'],
  ['Vivo a Pisa.', 'Ora vivo a Lecce.'],
  ['Eu moro em Natal.', 'Agora eu moro em Belém.'],
  ['東京に住んでいます。', '今は大阪に住んでいます。'],
  ['我住在北京。', '我现在住在上海。'],
  ['I am allergic to nuts.', 'I am no longer allergic to nuts.'],
  ['My favourite author is Zadie Smith.', 'My favourite author these days is Tove Jansson.'],
])('"%s" and nothing else gives way to "%s"', async (before, after) => {
  expect(await outcomeOf(before, after)).toBe('gone');
});

it.each([
  ['I live in Berlin with my wife Ana.', 'I moved to Rome in May.'],
  ['I live in Berlin.', 'We moved from Berlin to Rome.'],
  ['I live in Berlin.', 'We moved to Rome with my family.'],
  ['I work at Google.', 'Started my new job today!'],
  ['I work at Google.', 'Started a new job at Apple.'],
  ['I love sushi.', "Honestly I don't like sushi anymore, it made me sick."],
  ['Ich arbeite bei Siemens.', 'Ich habe heute gekündigt.'],
  ['Ich arbeite bei Siemens.', 'Ich habe meinen Job gekündigt.'],
  ['My dentist is Dr. Weber.', 'The new dentist is Dr. Hill, near the station.'],
  ['My email is ada@example.com.', 'The new email is ada@example.org.'],
  ['The meeting is next Tuesday.', 'The meeting got pushed back to the 5th of December.'],
  ['The meeting is next Tuesday.', 'The meeting was moved from Tuesday to Friday.'],
  ['The meeting is next Tuesday.', 'The meeting was moved to Friday.'],
  ['Встреча с юристом завтра.', 'Встреча перенесена на пятницу.'],
  ['I live in Berlin.', 'I live in Rome during the week.'],
  ['I am a nurse.', 'I am a teacher.'],
  ['We use Redis for the queue and Postgres for the rest.', 'We dropped Redis.'],
])('"%s" stays, and "%s" may replace it', async (before, after) => {
  expect(await outcomeOf(before, after)).toBe('named');
});

it('of two plans that may be meant neither is changed', async () => {
  const plans = ['The meeting with Bob is next Tuesday.', 'The meeting with Eve is next Monday.'];

  const stored = await storedOf(...plans, 'The meeting was moved to Friday.');

  expect(stored.sort()).toEqual([...plans, 'The meeting was moved to Friday.'].sort());
});

it.each([
  ['The meeting is on Tuesday.', 'I meant to call my mother on Thursday.'],
  [
    'The dentist appointment is on Tuesday.',
    'I meant to tell you: my sister Anna arrives on Thursday with her kids.',
  ],
  ['Встреча в понедельник.', 'Извини, в четверг я лечу в Париж.'],
  ['Встреча в понедельник.', 'Ой, извини, в четверг, я лечу в Париж.'],
  ['Mi dentista es el lunes.', 'Quería decir que el jueves viajo a Madrid con mi hermana.'],
  ['My flight leaves at 5pm.', 'I meant to be home by 3pm but my car broke down.'],
  ['The meeting is on Tuesday.', 'I meant the Thursday class is the best one.'],
  ['The meeting is on Tuesday.', 'My sister said that I meant Thursday.'],
  ['Das Treffen ist am Dienstag.', 'Ich meinte, dass wir am Donnerstag nach Rom fahren.'],
])('"%s" is not corrected by "%s"', async (before, after) => {
  const [first, second] = [await storedOf(before), await storedOf(after)];

  const stored = await storedOf([before, 'Thanks!', after]);

  expect(stored.sort()).toEqual([...first, ...second].sort());
});

it.each([
  ['The meeting is on Tuesday at 4pm.', 'Sorry, I meant Thursday at 5pm.', 'Thursday at 5pm.'],
  [
    'The meeting is on Tuesday at 4pm.',
    'oh no, I meant on Thursday, same time',
    'Thursday at 4pm.',
  ],
])('"%s" is corrected by "%s"', async (before, after, end) => {
  expect(await storedOf([before, after])).toEqual([`The meeting is on ${end}`]);
});

it('what was asked in between may be what is corrected: a statement before it stays', async () => {
  const stored = await storedOf([
    'My flight leaves at 5pm.',
    'Can you wake me at 4am?',
    'Sorry, I meant 3am.',
  ]);

  expect(stored).toContain("User's flight leaves at 5pm.");
});

it('a correction keeps what else is said with it', async () => {
  const more = 'Sorry, I meant Thursday, and my sister Anna will join us from Leeds at 3pm.';

  const stored = await storedOf(['The dinner is on Tuesday at 7pm.', more]);

  expect(stored).toHaveLength(2);
  expect(stored).toContain('The dinner is on Thursday at 7pm.');
  expect(stored.join(' ')).toContain('Anna will join us from Leeds at 3pm.');
});

it('a move years ago does not replace the home that is named beside it', async () => {
  const stored = await storedOf('I live in Rome. I moved to Paris in 2010.');

  expect(stored).toContain('User lives in Rome.');
});

it('a dated event stays whatever came later', async () => {
  const stored = await storedOf('I moved to Berlin in 2010.', 'I live in Munich now.');

  expect(stored).toContain('User moved to Berlin in 2010.');
});

it('what may be over is stored anew when it is said again', async () => {
  const memories = await memoriesOf(
    'I live in Ghent with my partner Elif.',
    'I moved to Antwerp.',
    'I live in Ghent with my partner Elif again.',
  );

  expect(memories).toHaveLength(3);
  expect(memories[0]?.may_replace).toHaveLength(2);
});

it.each([
  ["I'm vegan.", "I'm lactose intolerant."],
  ['Soy celíaca.', 'Soy vegetariana.'],
  ['Ich bin Vegetarierin.', 'Ich bin laktoseintolerant.'],
  ["I'm vegetarian.", "I'm keto."],
  ["I'm married.", "I'm engaged in local politics."],
  ["I'm divorced.", "I'm single-minded."],
  ["I'm married.", "I'm married to my job."],
  ['Ich bin verheiratet.', 'Ich bin getrennt versichert.'],
  ['I drive a Golf.', 'I now drive an hour to work.'],
  ['My husband drives a Golf.', 'My husband now drives a tram.'],
  ['My sister is 30.', 'My sister is 28.'],
  ['My son is 4.', 'My son is 7.'],
  ['I work at Google.', "I don't work at Google on Fridays."],
  ['I live in Rome.', 'I no longer live in Rome city centre.'],
  ['I live in Paris.', 'I live in France.'],
  ['I live in London.', 'I live in Spain in August.'],
  ['Ich wohne in Berlin.', 'Ich wohne in Kreuzberg.'],
  ['My favorite band is Radiohead.', 'My favorite band is playing in Berlin.'],
  ['My favorite band is Radiohead.', 'My favorite band is on tour now.'],
  ['I work at Google.', 'I now work at Google on Fridays only.'],
  ['東京に住んでいます', '両親は大阪に住んでいます'],
  ["I'm allergic to nuts.", 'I am not allergic to nuts, my son is.'],
  ["My sister's husband lives in Oslo.", 'My sister lives in Oslo.'],
  ['My least favorite color is green.', 'My favorite color is green.'],
  ["Tom's mother plays polo.", 'Tom plays polo.'],
])('"%s" stays when the user says "%s"', async (before, after) => {
  const memories = await memoriesOf(before, after);

  expect(memories).toHaveLength(2);
});

it.each([
  ['My sister Ana plays the cello.', 'My sister Eva no longer plays the cello.', 0],
  ['My sister Ana plays the cello.', 'My sister Ana no longer plays the cello.', 1],
  ['I play the cello.', 'My sister no longer plays the cello.', 0],
  ['我弟弟在学大提琴。', '我妹妹不再学大提琴了。', 0],
  ['Meine Schwester Ana spielt Cello.', 'Meine Schwester Eva spielt nicht mehr Cello.', 0],
  ['I play water polo.', "Scratch that, I don't play water polo.", 1],
  ['I play polo every Sunday.', "I don't play polo any more.", 1],
  ['I use Notion.', "I don't use Notion anymore.", 1],
  ["I don't eat pork.", 'I eat pork.', 1],
  ["I don't eat pork.", 'I eat pork once a year at home.', 0],
  ["My daughter isn't allergic to cats.", 'My son is allergic to cats.', 0],
  ['Ich trinke Kaffee.', 'Ich trinke keinen Kaffee.', 1],
  ['Trabajo de enfermera en La Fe.', 'Ya no trabajo en La Fe.', 1],
])('"%s" and "%s" may contradict each other in %i memories', async (before, after, count) => {
  const memories = await memoriesOf(before, after);

  expect(memories).toHaveLength(2);
  expect(memories.flatMap(({ may_replace = [] }) => may_replace)).toHaveLength(count);
});

it('names no memory of another attribute that shares the words of what is over', async () => {
  const rules = createRuleExtractor({ dates: createDateReader() });
  const known = ['User is vegan', 'User is allergic to vegan cheese'].map((memory, index) => ({
    ...unknownMemory,
    id: `${index}`,
    memory,
  }));
  const messages = [{ role: 'user', content: 'I am no longer allergic to vegan cheese.' }];

  const said_at = '2026-03-02T09:00:00.000Z';
  const settings = { includes: null, excludes: null, instructions: null, categories: null };
  const conversation = { messages, known, said_at, settings, graph: false };
  const { decisions } = await rules.extract(conversation, new AbortController().signal);

  expect(decisions).toMatchObject([{ event: 'UPDATE', target: '1' }]);
  expect(decisions[0]).not.toHaveProperty('may_replace');
});
