import { anyText, type LanguageRules, leadingPhrases, wholeSentence } from '../rules.ts';
import { japaneseAsking } from './asking.ts';
import { japaneseCategories } from './categories.ts';
import { japaneseChanges } from './changes.ts';
import { japaneseCorrections } from './corrections.ts';
import { japaneseDates } from './dates.ts';
import { japaneseForgetting } from './forgetting.ts';
import { japaneseSentences } from './sentences.ts';
import { japaneseUnrecorded } from './unrecorded.ts';

export const japanese: LanguageRules = {
  language: null,
  script: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
  isSpaceless: true,
  categories: japaneseCategories,
  changes: japaneseChanges,
  sentences: japaneseSentences,
  words: '',
  opening: leadingPhrases('こんにちは|ありがとう(?:ございます)?'),
  joint: /^(?:(?:はい|うん|いえ|ええと|えっと|あの|まあ|あ)[、。！!]\s*|ちなみに、?)(?=.{4})/gu,
  smallTalk: wholeSentence(
    '(?:あ、)?(?:直り|治り|動き|解決し)ました',
    'こんにちは|こんばんは|おはよう(?:ございます)?|おやすみ(?:なさい)?|はじめまして|やあ|どうも',
    '(?:どうも|本当に|助けてくれて)?ありがとう(?:ございます|ございました)?|感謝します|助か(?:りました?|った)|どういたしまして',
    'はい|いいえ|うん|ええ|そうですね?|なるほど|わかりました|分かりました|了解(?:です|しました)?|オーケー|OK|いいですね|' +
      'すごい(?:ですね)?|すばらしい(?:ですね)?|もちろん(?:です)?|大丈夫です|承知しました|その通りです',
    'さようなら|またね|また明日|また後で|ではまた|お願いします|よろしく(?:お願いします)?|わからない(?:です)?|知りません|私も(?:です)?',
  ),
  question:
    /(?:ですか|ますか|でしょうか|ませんか|かな|の)[?？]?$|^(?:何|いつ|どこ|誰|なぜ|どう|どの|どれ).*か。?$/u,
  asking: japaneseAsking,
  unrecorded: japaneseUnrecorded,
  request:
    /(?:教えて|見せて|書いて|作って|手伝って|説明して|(?:翻)?訳して|要約して|探して|調べて|まとめて)(?:ください|くれ|ほしい|もらえ)?/u,
  reminder:
    /^(?:(?:これを?|次のことを)?(?:覚えて(?:おいて)?|(?:自分用)?メモ(?:して(?:おいて)?)?|忘れないで)(?:ください|くれる|くれますか|ね)?[：:、。]\s*(?=\S)|(?=.{4,200}(?:って|と|ことを?|のを|を)、?(?:覚えて|メモして|忘れないで)))/u,
  reminderEnd:
    /(?:という?)?(?:って|と|ことを?|のを|を)、?(?:覚えて(?:おいて)?|メモして(?:おいて)?|忘れないで)(?:ください|くれる|くれますか|もらえますか|ね)?[。！!?？]*$/u,
  types: [
    [
      'instruction',
      anyText(
        '(?:必ず|常に|いつも|今後は|これから(?:は)?|絶対に).{0,100}(?:ください|くれ|しないで|して)',
        '(?:いつも|常に|必ず|今後は).{0,100}て(?:ね|よ)?[。！]?$',
        '(?:呼んで|使って|使わないで|答えて|話して|書かないで)(?:ください|ほしい)',
      ),
    ],
    [
      'preference',
      anyText(
        '好き|嫌い|お気に入り|より.{0,100}(?:がいい|のほうが|の方が)|苦手|大好物|好み|趣味は',
      ),
    ],
    [
      'relation',
      anyText(
        '(?:妻|夫|母|父|姉|兄|妹|弟|娘|息子|彼女|彼氏|友達|友人|上司|同僚|犬|猫|祖母|祖父)(?:の名前)?は.{0,200}(?:です|といいます|という)',
        '(?:人の?(?:子供|娘|息子|兄弟|姉妹)|子供)が.{0,100}います',
        '(?:犬|猫)を飼って',
      ),
    ],
    [
      'plan',
      anyText(
        '予定',
        'つもり',
        'しようと思',
        'たいと思',
        'たいです',
        '明日|明後日|来週|来月|来年|今度',
        '計画',
      ),
    ],
    [
      'event',
      anyText(
        'ました',
        '(?:行った|買った|見た|食べた|会った|始めた|だった|した)(?:。|$)',
        '昨日|一昨日|先週|先月|去年',
      ),
    ],
  ],
  slots: [
    {
      slot: 'lives_in',
      pattern:
        /^(?:(?:私は?|僕は?|俺は?|今は?|現在は?|去年から|先月から|[^はがもの、。]{1,12}から)、?){0,3}[^はがもの、。]{1,20}に(?:住んで(?:います|いる|る)|引っ越し(?:ました|た))/u,
    },
    {
      slot: 'works_at',
      pattern:
        /(?:^|私は|今は?|現在は?)[^。]{0,60}?で(?:働いて(?:います|いる)|勤めて)|に勤めて(?:います|いる)|に(?:転職|就職)しました/u,
    },
    {
      slot: 'job',
      pattern: new RegExp(
        '(?:として働いて|(?:私は|職業は|仕事は)[^、。]{0,60}?(?:エンジニア|教師|先生|看護師|医者|医師|弁護士|学生|' +
          'デザイナー|記者|料理人|会計士|翻訳者|プログラマー|建築家)です)',
        'u',
      ),
    },
    { slot: 'name', pattern: /^(?:私の)?名前は|^(?:私は)?[^、。は]{1,12}と(?:いいます|申します)/u },
    { slot: 'age', pattern: /^(?:私は)?(?:今年)?[\d０-９]{1,3}歳(?:です|になりました)/u },
    {
      slot: 'relationship',
      pattern: /^(?:私は)?(?:独身|既婚|離婚しました|結婚しました|結婚して(?:います|いる)|婚約し)/u,
    },
    {
      slot: 'diet',
      pattern:
        /^(?:私は)?(?:今は)?(?:ヴィーガン|ビーガン|ベジタリアン|菜食主義)(?<ended>ではありません|をやめ)?/u,
    },
    { slot: 'favourite', pattern: /^(?:私の)?(?:一番)?好きな(?<topic>[^はが、。]{1,10})は/u },
    {
      slot: 'allergic_to',
      pattern: /^(?:私は)?(?<topic>[^にはの、。]{1,12})(?:に|の)?アレルギー(?:が|です)/u,
    },
    {
      slot: 'attribute',
      pattern:
        /^(?:私の)?(?<topic>電話番号|住所|メールアドレス|誕生日|身長|血液型|母国語|靴のサイズ)は/u,
    },
    // Programs write notes about "the user".
    { slot: 'lives_in', pattern: /^ユーザーは.{1,12}に(?:住んで|住み|住む|在住)/u },
    { slot: 'relationship', pattern: /^ユーザーは(?:独身|既婚|結婚して|離婚して)/u },
  ],
  clauses: {
    age: '私は#歳です',
    subject: /^(?:私は|僕は|俺は|ユーザーは)/u,
    joint: /[、。]/gu,
    own: /^(?:私|僕|俺)(?:は|の)/u,
    verb: null,
    joiners: '',
    unsure: anyText('もし|たら|なら|かも|でしょう|だろう|と思|たい|らしい|そうです|つもり|ように'),
    governing: anyText('ない|ません|できる'),
    reference: anyText('彼|それ|これ|あれ|その|この|あの|そこ|ここ|そして|も'),
  },
  newValue: anyText(
    '今は|今(?![年月週日度回朝夜晩])|現在|新しい|もう|ではなく|変わ|変え|引っ越|なりました|なった|最近|これから',
  ),
  beside: anyText(
    'も(?!う)|まだ|また|別の|二つ|時々|たまに|たぶん|かもしれ|でしょう|以前|昔|当時|もし|でした|だった|週末|平日|夏|冬|一時的|とりあえず|そろそろ',
  ),
  ...japaneseDates,
  corrections: japaneseCorrections,
  past: anyText('ました', '[たっだ](?:。|$)', '昨日|先週|先月|去年|昨年|前に'),
  future: anyText(
    '予定',
    'つもり',
    '(?:切れ|終わり|終了し|失効し|満了し)ます|(?:切れる|終わる|終了する|失効する)(?=。|$)',
    '明日|来週|来月|来年|明後日|後に',
  ),
  forgetting: japaneseForgetting,
};
