import type { CorrectionWords } from '../correction-words.ts';

export const spanishCorrections: CorrectionWords = {
  apologies: 'no|perdón|perdona|disculpa|lo siento|yo',
  meant: 'quer[íi]a decir|quise decir',
  fillers: 'el|las?|a',
  continues: 'y|pero',
  of: 'de',
};
