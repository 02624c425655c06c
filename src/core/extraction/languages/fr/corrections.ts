import type { CorrectionWords } from '../correction-words.ts';

export const frenchCorrections: CorrectionWords = {
  apologies: 'pardon|désolée?|non|excusez?[- ]moi',
  meant: 'je voulais dire',
  fillers: 'le|à|a',
  continues: 'et|mais',
  hours: 'h(?!\\p{L})',
};
