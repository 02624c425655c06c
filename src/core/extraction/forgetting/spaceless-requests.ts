/** Requests in Chinese and Japanese, whose words no spaces tell apart. */
export const spacelessScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

type SpacelessObject = { telling: string[]; around: string; isAll: boolean };

/** The runs of a request that say what to forget: a memory that is meant holds each as it is. */
export function spacelessWords(sentence: string): SpacelessObject {
  const text = sentence.normalize('NFKC').toLowerCase();
  const isJapanese = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
  const { before, after, between } = isJapanese ? japanese : chinese;
  const around = text.replace(after, '').replace(before, '');
  const runs = around.split(between).filter((run) => run.trim() !== '');
  const telling = isJapanese ? runs.flatMap(stemsOfJapanese) : runs;
  return { telling: [...new Set(telling)], around, isAll: everything.test(text) };
}

const everything = /全部|すべて|全て|所有|都(?=[忘删刪清移])/u;

const chinese = {
  before: new RegExp(
    '^(?:请|請|麻烦|你|帮我|可以|能不能|把|忘掉|忘记|忘了|删除|删掉|清除|移除|关于|關於|' +
      '我(?:之前)?(?:跟你|对你|和你|告诉你)?(?:说|讲|提|告诉你)(?:过|到)?|所有|全部|一下|那个|的|' +
      '[，,\\s])+',
    'u',
  ),
  after: new RegExp(
    '(?:的)?(?:事情|事|信息|记录|内容|[这那]?件事)?[，,\\s]?(?:请|麻烦|你|给我|帮我|都|全部|从|的|' +
      '记忆|记录|里|中){0,8}(?:忘掉|忘记|忘了|忘|删除|删掉|删了|清除|清掉|移除|抹去)?[吧了掉。！!，,\\s]{0,8}' +
      '(?:谢谢)?[。！!]{0,8}$',
    'u',
  ),
  between: /[我你]的?|[的了在是有对對，,。！!\s]|一[只個个条條位辆台]/u,
};

const japanese = {
  before:
    /^(?:(?:私|僕|俺)が(?:前に)?|前に|どうか|すみませんが?|お願い|話した|言った|伝えた|[、,\s])+/u,
  after: new RegExp(
    '(?:に関する|について(?:話した|言った)?|という|の)?(?:こと|事|件|話|情報|データ)?[はをもに]?' +
      '(?:、)?(?:全部|すべて|全て)?(?:、)?(?:(?:記憶|メモリ|メモ)から)?(?:もう)?' +
      '(?:忘れ|消し|消去|削除|破棄|抹消)[^、]{0,20}$',
    'u',
  ),
  between: /(?:私|僕|俺)[のはがも]?|[はがをにでのもへと、。,\s]|から|まで|こと/u,
};

/** Verbs without their endings; what is written without ideographs stays. */
function stemsOfJapanese(run: string): string[] {
  const stems = run.match(/[\p{Script=Han}\p{Script=Katakana}ー々\w]+/gu);
  return stems ?? (auxiliaries.has(run) ? [] : [run]);
}

const auxiliaries = new Set(
  'いる いた い る た ある あった する した し てる です ます だ だった って いて な'.split(' '),
);
