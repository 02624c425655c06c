import { expect, it } from 'vitest';
import { createRuleExtractor } from '../../../src/core/extraction/rule-extractor.ts';
import { createDateReader } from '../../../src/providers/dates/date-reader.ts';

const rules = createRuleExtractor({ dates: createDateReader() });

/** What is remembered of what somebody says on Saturday, 14 March 2026. */
async function rememberedOf(content: string) {
  const settings = { includes: null, excludes: null, instructions: null, categories: null };
  const said_at = '2026-03-14T09:00:00.000Z';
  const messages = [{ role: 'user', content }];
  const conversation = { messages, known: [], now: said_at, said_at, settings, graph: false };
  const { decisions } = await rules.extract(conversation, new AbortController().signal);
  const [{ occurred = null, validity = null } = {}] = decisions;
  return { at: occurred?.at.slice(0, 10), validity };
}

it.each([
  'They told me that my surgery is on 8 May.',
  'I found out my exam is on 8 May.',
  'I got a letter saying my court date is 8 May.',
  'Turns out my exam is on 8 May.',
  'I signed a lease that starts on 8 May.',
  'My landlord told me I have to move out by 8 May.',
  'I agreed to babysit on 8 May.',
  'I got an appointment for 8 May.',
  'I was invited to a wedding on 8 May.',
  'The hearing was set for 8 May.',
  'The launch slipped to 8 May.',
  'Ich habe einen Termin am 8. Mai bekommen.',
  'Ich habe Karten für das Konzert am 8. Mai gekauft.',
  'Ich habe erfahren, dass die Prüfung am 8. Mai stattfindet.',
  'Ich habe beschlossen, am 8. Mai zu kündigen.',
  "J'ai appris que mon examen est le 8 mai.",
  "J'ai reçu une invitation pour le 8 mai.",
  'Me enteré de que mi examen es el 8 de mayo.',
  'Me invitaron a una boda el 8 de mayo.',
  "Mi hanno detto che l'operazione è l'8 maggio.",
  "Ho ricevuto un appuntamento per l'8 maggio.",
  'Disseram-me que a operação é no dia 8 de maio.',
  'Мне сказали, что операция 8 мая.',
  'Меня пригласили на свадьбу 8 мая.',
  '試験は5月8日だと聞きました。',
  '5月8日の結婚式に招待されました。',
  '我被邀请参加5月8日的婚礼。',
])('what was told or arranged is to come: "%s"', async (content) => {
  expect((await rememberedOf(content)).at).toBe('2026-05-08');
});

it.each([
  'I got married on 8 May.',
  'They told me on 8 May that I am ill.',
  'I told him that I started on 8 May.',
  'I heard that Tom died on 8 May.',
  'I signed the lease on 8 May.',
  'I decided on 8 May to quit.',
  'I cancelled my gym membership on 8 May.',
  'I slipped on the ice on 8 May.',
  'Ich habe am 8. Mai Karten gekauft.',
  'Ich habe erfahren, dass er am 8. Mai gestorben ist.',
  'Am 8. Mai wurde mein Termin abgesagt.',
  "J'ai appris qu'il est mort le 8 mai.",
  'Me contaron que nació el 8 de mayo.',
  "Ho ricevuto una lettera l'8 maggio.",
  'Cancelei a minha assinatura em 8 de maio.',
  'Мне 8 мая сказали, что я болен.',
  '5月8日に手紙をもらいました。',
  '我5月8日收到了一封信。',
])('what was done on a day is past: "%s"', async (content) => {
  expect((await rememberedOf(content)).at).toBe('2025-05-08');
});

it.each([
  ['They cancelled my appointment on 24 March.', '2026-03-24'],
  ['My appointment on 10 March got cancelled.', '2026-03-10'],
  ['Mein Termin am 24. März wurde abgesagt.', '2026-03-24'],
  ['Mon rendez-vous du 24 mars a été annulé.', '2026-03-24'],
  ['Mi cita del 24 de marzo fue cancelada.', '2026-03-24'],
  ['Il mio appuntamento del 24 marzo è stato annullato.', '2026-03-24'],
  ['Minha consulta de 24 de março foi cancelada.', '2026-03-24'],
  ['Мой приём 24 марта отменили.', '2026-03-24'],
  ['3月24日のコンサートが中止になりました。', '2026-03-24'],
  ['我3月24日的预约被取消了。', '2026-03-24'],
])('what was called off was for the nearest such day: "%s"', async (content, expected) => {
  expect((await rememberedOf(content)).at).toBe(expected);
});

it.each([
  'My contract was extended until 31 December.',
  'Mein Vertrag wurde bis zum 31. Dezember verlängert.',
  "Mon contrat a été prolongé jusqu'au 31 décembre.",
  'Mi contrato se amplió hasta el 31 de diciembre.',
  'Il contratto è stato prorogato fino al 31 dicembre.',
  'Meu contrato foi prorrogado até 31 de dezembro.',
  'Контракт продлили до 31 декабря.',
  '契約が12月31日まで延長されました。',
  '合同延长到12月31日了。',
])('what was extended lasts until the new day: "%s"', async (content) => {
  const { validity } = await rememberedOf(content);
  expect(validity).toEqual({ valid_from: null, valid_until: '2027-01-01T00:00:00.000Z' });
});

it('of an extended deadline only the new day counts', async () => {
  const { at, validity } = await rememberedOf(
    'The deadline was extended from 30 June to 30 September.',
  );
  expect({ at, validity }).toEqual({ at: '2026-09-30', validity: null });
});

it.each([
  "The wedding isn't on 6 June anymore, it's on 13 June.",
  "Instead of 6 June it's on 13 June.",
  'Die Hochzeit ist nicht am 6. Juni, sondern am 13. Juni.',
  "Le mariage n'est pas le 6 juin mais le 13 juin.",
  'La boda no es el 6 de junio sino el 13 de junio.',
  'Il matrimonio non è il 6 giugno ma il 13 giugno.',
  'O casamento não é no dia 6 de junho, mas no dia 13 de junho.',
  'Свадьба не 6 июня, а 13 июня.',
  '結婚式は6月6日ではなく6月13日です。',
  '婚礼不是6月6日，而是6月13日。',
])('a day that no longer counts gives way to the one that does: "%s"', async (content) => {
  expect((await rememberedOf(content)).at).toBe('2026-06-13');
});

it.each([
  ['On 12.04.2026 I have an MRI.', '2026-04-12'],
  ['My last day at work is 31 May.', '2026-05-31'],
])('"%s" names one day', async (content, expected) => {
  expect((await rememberedOf(content)).at).toBe(expected);
});

it('since a day with a dot something is so', async () => {
  const { validity } = await rememberedOf('Seit dem 2. März bin ich krankgeschrieben.');
  expect(validity?.valid_from).toBe('2026-03-02T00:00:00.000Z');
});
