import type { CorrectionWords } from '../correction-words.ts';

export const japaneseCorrections: CorrectionWords = {
  apologies: 'ごめん(?:なさい|ね)?|すみません',
  mistaken: 'の間違い(?:でした|です|だった|だ)?',
  hours: '時',
  dayOfMonth: '\\d{1,2}月\\d{1,2}日',
};
