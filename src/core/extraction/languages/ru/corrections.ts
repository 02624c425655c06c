import type { CorrectionWords } from '../correction-words.ts';

export const russianCorrections: CorrectionWords = {
  apologies: 'ой|извини(?:те)?|прости(?:те)?|нет|я',
  meant: 'име(?:л|ла) в виду|ошиб(?:ся|лась)|ой,? извини(?:те)?',
  apologyOnly: 'извини',
  fillers: 'во?|на',
  continues: 'и|а|но',
};
