import { anyText, type LanguageRules, leadingPhrases, wholeSentence } from '../rules.ts';
import { chineseAsking } from './asking.ts';
import { chineseCategories } from './categories.ts';
import { chineseChanges } from './changes.ts';
import { chineseCorrections } from './corrections.ts';
import { chineseDates } from './dates.ts';
import { chineseForgetting } from './forgetting.ts';
import { chineseSentences } from './sentences.ts';
import { chineseUnrecorded } from './unrecorded.ts';

export const chinese: LanguageRules = {
  language: null,
  script: /\p{Script=Han}/u,
  isSpaceless: true,
  categories: chineseCategories,
  changes: chineseChanges,
  sentences: chineseSentences,
  words: '',
  opening: leadingPhrases('你好|您好|谢谢'),
  joint: /^(?:好的?|嗯+|哦|对了|那个|总之|反正)[，,。！!]\s*(?=.{3})/gu,
  smallTalk: wholeSentence(
    '(?:现在)?(?:可以|能)(?:运行|用)了|修好了|解决了|好了',
    '你好|您好|大家好|早上好|早安|下午好|晚上好|晚安|嗨|哈喽',
    '(?:非常|太|多)?(?:谢谢|感谢)(?:你|您|了|你的帮助|您的帮助)?|不客气|没关系|没事',
    '好(?:的|吧|啊|呀)?|行|可以|是(?:的|啊)?|对(?:的)?|嗯+|哦+|明白(?:了)?|知道了|懂了|不错|太好了|' +
      '很好|太棒了|没问题|当然(?:了)?|同意|原来如此|有道理|真的',
    '再见|拜拜|回头见|明天见|下次见|祝你(?:好运|愉快)|我也是|不知道|不清楚|哈哈+|哇|听起来不错',
  ),
  question:
    /(?:吗|呢|么)[?？。]?$|^(?:什么|什麼|哪|谁|为什么|怎么|如何|几|多少|能不能|可不可以|是不是)/u,
  asking: chineseAsking,
  unrecorded: chineseUnrecorded,
  request: /^(?:请)?(?:你)?(?:帮我|告诉我|给我|教我|解释|写一|翻译|总结|推荐|帮忙|列出|生成)/u,
  reminder:
    /^(?:请|麻烦)?(?:你)?(?:能|可以|可不可以|能不能)?(?:帮我)?(?:记住|记得|别忘了|不要忘记|记(?:一)?下(?:来)?|请注意|提醒我|备忘)(?:这个|这一点|这件事|一下)?(?:[：:，,]\s*|(?=[我他她你]))(?=\S{3})/u,
  reminderEnd: /[吗嘛]?[?？]?$/u,
  types: [
    [
      'instruction',
      anyText(
        '^(?:请)?(?:以后|从现在起|从今以后|今后|总是|永远|一定要|始终|务必)',
        '^(?:请)?(?:不要|别|用|叫我|称呼我)',
        '请(?:总是|始终|用|不要|叫我)',
      ),
    ],
    [
      'preference',
      anyText(
        '喜欢',
        '最爱',
        '讨厌',
        '偏爱',
        '更(?:喜欢|爱|愿意)',
        '宁愿',
        '热爱',
        '不爱',
        '受不了',
      ),
    ],
    [
      'relation',
      anyText(
        '我的?(?:妻子|老婆|丈夫|老公|妈妈|母亲|爸爸|父亲|姐姐|哥哥|妹妹|弟弟|女儿|儿子|女朋友|男朋友|朋友|老板|同事|' +
          '狗|猫|奶奶|爷爷)(?:的名字)?(?:叫|是|名叫)',
        '我有[一二两三四五]?(?:个|只|条)?(?:[^，。]{0,4})(?:孩子|女儿|儿子|姐姐|妹妹|哥哥|弟弟|狗|猫)',
      ),
    ],
    [
      'plan',
      anyText(
        '打算',
        '计划',
        '准备',
        '将要',
        '想要',
        '会在',
        '明天|后天|下周|下个?星期|下个?月|明年',
        '要去',
        '希望',
      ),
    ],
    [
      'event',
      anyText(
        '昨天|前天|上周|上个?星期|上个?月|去年',
        '[^。，]了[。！]?$',
        '过了|去了|买了|看了|参加了|完成了|开始了|搬到',
      ),
    ],
  ],
  slots: [
    {
      slot: 'lives_in',
      pattern:
        /^(?:我)?(?:现在|目前|如今)?(?:我)?(?:(?<ended>不再)?住在|居住在|[^，。]{0,8}搬(?:到|去)(?:了)?)/u,
    },
    {
      slot: 'works_at',
      pattern:
        /^(?:我)?(?:现在|目前)?(?:我)?(?<ended>不再)?在[^，。]{1,20}(?:工作|上班)|^我(?:现在)?(?:加入了|跳槽到)/u,
    },
    {
      slot: 'job',
      pattern: new RegExp(
        '^我(?:现在)?(?:是|当)(?:一?[名个位])?[^，。]{0,6}(?:工程师|老师|教师|护士|医生|律师|学生|' +
          '设计师|记者|厨师|会计|翻译|程序员|建筑师|经理)',
        'u',
      ),
    },
    { slot: 'name', pattern: /^(?:我叫|我的名字(?:是|叫))/u },
    { slot: 'age', pattern: /^我(?:今年|现在)?(?:[\d一二三四五六七八九十]{1,3})岁/u },
    {
      slot: 'relationship',
      pattern: /^我(?:现在|已经)?(?:是)?(?:单身|已婚|未婚|离婚了?|结婚了|订婚了|离异)/u,
    },
    {
      slot: 'diet',
      pattern:
        /^我(?:现在)?(?<ended>不再)?(?:是|吃)(?:一个|一名)?(?:严格的)?(?:素食主义者|素食者|素|纯素)/u,
    },
    { slot: 'favourite', pattern: /^我最喜欢的(?<topic>[^是，。]{1,8})(?:现在)?是/u },
    { slot: 'allergic_to', pattern: /^我(?<ended>不再)?对(?<topic>[^，。]{1,12})过敏/u },
    {
      slot: 'attribute',
      pattern:
        /^我的(?:新)?(?<topic>电话号码|电话|手机号|地址|邮箱|生日|身高|体重|血型|母语|鞋码)是/u,
    },
    // Programs write notes about "the user".
    { slot: 'lives_in', pattern: /^用[户戶](?:现在)?(?:住在|居住在)/u },
    { slot: 'works_at', pattern: /^用[户戶](?:现在)?在.{2,12}(?:公司|银行)(?:工作|上班)/u },
    { slot: 'relationship', pattern: /^用[户戶](?:是)?(?:已婚|单身|离婚|离异)/u },
  ],
  clauses: {
    age: '我#岁',
    subject: /^(?:我们?|用[户戶])/u,
    joint: /[，,；](?:而且|并且|但是?|也)?/gu,
    own: /^(?:我们?(?:是|有|在|住|喜欢|讨厌|的)|我(?:儿子|女儿|妻子|老婆|丈夫|老公|妈妈|爸爸|哥哥|弟弟|姐姐|妹妹)(?:\p{L}{0,4})?(?:是|在|叫|今年|有))/u,
    verb: /^(?:在.{1,12}(?:工作|上班|读书|上学)|住在|有|喜欢|讨厌|养了|会说|今年)/u,
    joiners: '',
    unsure: anyText(
      '如果|要是|假如|希望|想|觉得|认为|可能|也许|大概|应该|会不会|听说|据说|打算|计划|等到|当',
    ),
    governing: anyText('不|没|能|可以|要|会(?!说)|得|的人'),
    reference: anyText('他|她|它|这|那|其|都|也|一样'),
  },
  newValue: anyText('现在|如今|目前|新的?|不再|改|换|搬|变成|成了|刚刚?|从今'),
  beside: anyText(
    '也|还|又|另一|另外|第二|有时|通常|兼职|暂时|可能|也许|大概|如果|要是|以前|曾经?|当时|原来|周末|平时|夏天|冬天|快要|差不多',
  ),
  ...chineseDates,
  corrections: chineseCorrections,
  past: anyText('了', '过', '昨天|前天|上周|上个月|去年|前'),
  future: anyText(
    '打算|计划|准备|要|将',
    '(?:到期|过期|结束|截止|失效)(?=[，。]|$)',
    '明天|后天|下周|下个月|明年|后',
  ),
  forgetting: chineseForgetting,
};
