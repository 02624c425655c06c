import type { CorrectionWords } from '../correction-words.ts';

export const chineseCorrections: CorrectionWords = {
  apologies: '不好意思|抱歉|对不起|我',
  meant: '说错了|說錯了',
  fillers: '应该是|是',
  hours: '点',
  dayOfMonth: '\\d{1,2}月\\d{1,2}[日号]',
};
