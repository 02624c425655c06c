import type { SentenceWords } from '../rules.ts';

export const japaneseSentences: SentenceWords = {
  speaker: '私|僕|俺',
  conjunctions: '',
  relatives: '',
  people: '彼女|彼(?=[はがのも])',
  things: 'それ|あれ',
  unnamed: [
    /^(?:来週|今週|再来週|明日|明後日|[\d一二三四五六七八九十]{1,2}(?:月|日|時))[^はがもを私僕]{0,24}(?:来ます|来る|届きます|届く|始まります|始まる|着きます|着く)(?:よ|ね)?[。！!]?$/u,
    /^(?:はい|いいえ|うん|いや)[、,]?(?:でも|ただ|けど)[^私僕俺]{1,20}(?:なし|抜き)(?:で|が)?(?:お願い|いい)?/u,
  ],
};
