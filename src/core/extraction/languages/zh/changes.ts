import type { ChangeWords } from '../change-words.ts';

export const chineseChanges: ChangeWords = {
  ended: '不再|戒了|放弃|取消|退了|辞',
  died: '去世|走了|没了',
  sold: '卖|送人|扔',
  moved: '搬|离开|辞职',
  rehomed: '搬',
  changed: '換|换|改',
  now: '现在|如今|从今',
  again: '又|重新',
  parted: '分手|离婚',
  other: '我(?:哥|姐|弟|妹|妈|爸|朋友|同事|邻居|表|儿子|女儿|老板)',
  once: '今天|昨天|这周|这次',
  also: '也|还',
  likes: '喜欢|爱|喜爱',
  dislikes: '讨厌|不.{0,3}喜欢|不爱|受不了|厌',
  not: '不|没',
  lives: '住',
  works: '工作|上班',
  has: '有|养',
  uses: '用(?![户戶])',
  plans: '飞|预约|行程',
};
