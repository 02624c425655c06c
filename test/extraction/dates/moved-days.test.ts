import { expect, it } from 'vitest';
import { createRuleExtractor } from '../../../src/core/extraction/rule-extractor.ts';
import { createDateReader } from '../../../src/providers/dates/date-reader.ts';

const rules = createRuleExtractor({ dates: createDateReader() });

/** What is remembered of what somebody says on a Monday. */
async function rememberedOf(content: string) {
  const settings = { includes: null, excludes: null, instructions: null, categories: null };
  const said_at = '2026-11-23T09:00:00.000Z';
  const messages = [{ role: 'user', content }];
  const conversation = { messages, known: [], now: said_at, said_at, settings, graph: false };
  const { decisions } = await rules.extract(conversation, new AbortController().signal);
  const [{ occurred = null, validity = null } = {}] = decisions;
  const length = occurred?.granularity === 'minute' ? 16 : 10;
  return { at: occurred?.at.slice(0, length), validity };
}

it.each([
  ['The dentist moved my appointment to 17 December.', '2026-12-17'],
  ['The meeting was moved from 3 December to 17 December at 8:15.', '2026-12-17T08:15'],
  ['They moved the exam to next Monday.', '2026-11-30'],
  ['We pushed the launch back to March.', '2027-03-01'],
  ['My interview has been brought forward to Friday.', '2026-11-27'],
  ['My haircut was moved to 3pm on Friday.', '2026-11-27T15:00'],
  ['The concert is postponed until 8 January.', '2027-01-08'],
  ['Der Termin ist vom 3. auf den 17. Dezember verlegt.', '2026-12-17'],
  ['Die Feier ist auf Samstag verschoben.', '2026-11-28'],
  ['Wir haben die Hochzeit in den Mai verlegt.', '2027-05-01'],
  ['Le rendez-vous est déplacé du 3 au 17 décembre.', '2026-12-17'],
  ["Ils ont repoussé l'examen à lundi prochain.", '2026-11-30'],
  ['La reunión se ha aplazado al 17 de diciembre.', '2026-12-17'],
  ['Han movido el examen del 3 al 17 de diciembre.', '2026-12-17'],
  ["L'appuntamento è stato spostato al 17 dicembre.", '2026-12-17'],
  ["Il concerto è rinviato all'8 gennaio.", '2027-01-08'],
  ['A reunião foi adiada para 17 de dezembro.', '2026-12-17'],
  ['O show foi adiado até 8 de janeiro.', '2027-01-08'],
  ['Экзамен перенесли с 3 на 17 декабря.', '2026-12-17'],
  ['Мой приём на понедельник перенесли на среду.', '2026-11-25'],
  ['会議は12月3日から12月17日に延期されました。', '2026-12-17'],
  ['コンサートは1月8日まで延期になりました。', '2027-01-08'],
  ['会议从12月3日推迟到12月17日。', '2026-12-17'],
  ['面试提前到星期五。', '2026-11-27'],
])('what is moved takes place on the new day: "%s"', async (content, expected) => {
  expect(await rememberedOf(content)).toEqual({ at: expected, validity: null });
});

it.each([
  ['I moved to Berlin on 3 May.', '2026-05-03'],
  ['We moved to a new flat in May.', '2026-05-01'],
  ['I moved to 12 Baker Street in May.', '2026-05-01'],
  ['We moved the sofa on Saturday.', '2026-11-21'],
  ['We moved the boxes to this room on Saturday.', '2026-11-21'],
  ['In May they changed the price to 30 euros.', '2026-05-01'],
  ['Ich habe meinen Schlüssel am Freitag verlegt.', '2026-11-20'],
  ['Nous avons déménagé à Lyon le 3 mai.', '2026-05-03'],
  ['Cambié de trabajo en mayo.', '2026-05-01'],
  ['Ho cambiato lavoro a maggio.', '2026-05-01'],
  ['A gente se mudou para Lisboa em 3 de maio.', '2026-05-03'],
  ['Мы переехали в Москву 3 мая.', '2026-05-03'],
  ['5月3日にベルリンへ引っ越しました。', '2026-05-03'],
  ['我们5月3日搬到了柏林。', '2026-05-03'],
])('who moves, or moves things, tells of the past: "%s"', async (content, expected) => {
  expect((await rememberedOf(content)).at).toBe(expected);
});

it('something can be moved to several days', async () => {
  const { at, validity } = await rememberedOf('The work trip got moved to 3 to 9 May.');
  expect(at).toBe('2027-05-03');
  expect(validity).toEqual({
    valid_from: '2027-05-03T00:00:00.000Z',
    valid_until: '2027-05-10T00:00:00.000Z',
  });
  const away = await rememberedOf('Je suis en déplacement du 3 au 17 décembre.');
  expect(away.validity?.valid_from).toBe('2026-12-03T00:00:00.000Z');
});

it.each([
  ['My passport runs out on 30 April.', '2027-04-30'],
  ['On 30 April my passport runs out.', '2027-04-30'],
  ['The warranty expires in ten days.', '2026-12-03'],
  ['Das Abo endet am 30. Juni.', '2027-06-30'],
  ['Am 30. Juni läuft mein Reisepass ab.', '2027-06-30'],
  ['Le bail se termine le 30 juin.', '2027-06-30'],
  ['La garantie expire dans dix jours.', '2026-12-03'],
  ['Mi contrato acaba el 30 de junio.', '2027-06-30'],
  ['La garantía vence en diez días.', '2026-12-03'],
  ['Il contratto finisce il 30 giugno.', '2027-06-30'],
  ['La garanzia scade tra dieci giorni.', '2026-12-03'],
  ['O contrato termina no dia 30 de junho.', '2027-06-30'],
  ['A garantia expira em dez dias.', '2026-12-03'],
  ['Договор заканчивается 30 июня.', '2027-06-30'],
  ['パスポートは6月30日に切れます。', '2027-06-30'],
  ['我的护照6月30日到期。', '2027-06-30'],
])('what ends on a day has not ended yet: "%s"', async (content, expected) => {
  expect((await rememberedOf(content)).at).toBe(expected);
});

it.each([
  'My gym membership ended on 30 June.',
  'Das Abo endete am 30. Juni.',
  "L'abonnement s'est terminé le 30 juin.",
  'El contrato acabó el 30 de junio.',
  "L'abbonamento è scaduto il 30 giugno.",
  'O contrato terminou em 30 de junho.',
  'Договор закончился 30 июня.',
  '契約は6月30日に終わりました。',
  '合同已于6月30日结束了。',
])('what ended is over: "%s"', async (content) => {
  expect((await rememberedOf(content)).at).toBe('2026-06-30');
});

it.each([
  "I've had a bad back since the accident in February, so I'm seeing Dr. Lopez on Thursday at 9:30.",
  'Seit dem Unfall im Februar habe ich Rückenschmerzen, deshalb gehe ich am Donnerstag um 9:30 zum Arzt.',
  'Desde el accidente en febrero me duele la espalda, así que el jueves a las 9:30 voy al fisio.',
])('since when something is so is not the day of what is to come: "%s"', async (content) => {
  expect((await rememberedOf(content)).at).toBe('2026-11-26T09:30');
});

it.each(['Desde el jueves trabajo en Correos.', 'Desde quinta-feira trabalho nos Correios.'])(
  'a weekday since which something is so is past: "%s"',
  async (content) => {
    const { at, validity } = await rememberedOf(content);
    expect(at).toBe('2026-11-19');
    expect(validity?.valid_from).toBe('2026-11-19T00:00:00.000Z');
  },
);
