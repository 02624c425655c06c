import type { CorrectionWords } from '../correction-words.ts';

export const germanCorrections: CorrectionWords = {
  apologies: 'oh|ah|ups|ach|nee|nein|entschuldigung|entschuldige|tut mir leid',
  meant: 'ich meinte',
  fillers: 'am|den|um|zur|selben?|zeit',
  continues: 'und|aber|nicht',
  hours: 'uhr(?!\\p{L})',
};
