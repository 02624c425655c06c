import { createRuleExtractor } from './src/core/extraction/rule-extractor.ts';
import { createDateReader } from './src/providers/dates/date-reader.ts';
const rules = createRuleExtractor({ dates: createDateReader() });
const settings = { includes: null, excludes: null, instructions: null, categories: null };
for (const [t, now] of [['Am 12.05. hab ich einen Termin beim Hautarzt', '2026-04-21T08:00:00.000Z'], ['My wife and I will be in Crete from 3 to 9 May.', '2026-04-02T09:15:00.000Z'],['I fly on 9 December at 7:30.', '2026-04-02T09:15:00.000Z'],['培训从5月3日到9日。','2026-04-02T09:15:00.000Z'],['Domani a mezzogiorno pranzo con Luca.','2026-04-02T09:15:00.000Z'],['Domani alle 12:00 pranzo con Luca.','2026-04-02T09:15:00.000Z'],["The meeting moved from 3 May to 9 May.", '2026-04-02T09:15:00.000Z'],["I love Christmas.", '2026-04-02T09:15:00.000Z'],["My favourite holiday is Christmas.", '2026-04-02T09:15:00.000Z'],["The reservation is for Friday the 18th at 20:00.", '2026-04-02T09:15:00.000Z'],["We always go skiing at Christmas.", '2026-04-02T09:15:00.000Z'],["Every year on Christmas Eve we eat carp.", '2026-04-02T09:15:00.000Z'],["I work from 9 to 5 on 4 May.", '2026-04-02T09:15:00.000Z']]) {
  const { decisions } = await rules.extract({ messages: [{ role: 'user', content: t }], known: [], now, said_at: now, settings, graph: false } as never, new AbortController().signal);
  console.log(t, decisions.map((d: any) => [d.text, d.type, d.occurred?.at, d.validity?.valid_from, d.validity?.valid_until]));
}
process.exit(0)
