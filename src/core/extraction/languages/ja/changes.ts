import type { ChangeWords } from '../change-words.ts';

export const japaneseChanges: ChangeWords = {
  ended: 'やめ|辞め|解約|卒業|もう.{0,12}ない',
  died: '亡くな|死',
  sold: '売|手放|譲|捨て',
  moved: '引っ越|転職|退職',
  rehomed: '引っ越',
  changed: '変え|乗り換え|代わり|変わ',
  now: '今は|現在|これから',
  again: 'また|再び|再開',
  parted: '別れ|離婚',
  other: '(?:兄|姉|弟|妹|母|父|友達|友人|同僚|隣|いとこ|息子|娘|上司)[がはの]',
  once: '今日|昨日|今週|今回|今夜',
  also: 'も',
  likes: '好き|好物|気に入',
  dislikes: '嫌|苦手|好き(?:じゃ|では|でも)?な[いく]',
  not: 'ない|ません',
  lives: '住',
  works: '働|勤',
  has: '飼|持って',
  uses: '使',
  plans: '旅行|出張|予約|飛',
};
