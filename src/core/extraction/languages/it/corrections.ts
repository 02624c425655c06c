import type { CorrectionWords } from '../correction-words.ts';

export const italianCorrections: CorrectionWords = {
  apologies: 'no|scusa(?:mi|te)?|mi dispiace|io',
  meant: 'volevo dire|intendevo',
  fillers: 'il|alle|a',
  continues: 'e|ma',
};
