import type { CorrectionWords } from '../correction-words.ts';

export const portugueseCorrections: CorrectionWords = {
  apologies: 'desculp[ae]|não|eu',
  meant: 'quis dizer|queria dizer',
  fillers: 'na|no|às|o|a',
  continues: 'e|mas',
  of: 'de',
};
