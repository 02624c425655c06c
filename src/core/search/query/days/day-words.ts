import type { Language } from '../../../language/languages.ts';

/**
 * How questions in a language name days, as sources of patterns. Lists have a space between their
 * entries and `|` between the forms of one. Questions are compared without accents.
 */
export type DayWords = {
  /** Null if the script alone shows the language. */
  language: Language | null;
  /** Words for a day, and how many days it is after today; longer ones first. */
  steps: Readonly<Record<string, number>>;
  /** From Sunday on; from January on. */
  weekdays: string;
  months?: string;
  /** Day, week, month, year and weekend; the words below stand before or after them. */
  units: string;
  last: string;
  this: string;
  next: string;
  /** From one on. */
  numbers: string;
  /** In templates: `n` of a `unit`, a `day` that stands alone, a `month`, a `year`. */
  ago: readonly string[];
  alone?: string;
  inMonth?: string;
  /** Names of the years around this one, and how many years away they are. */
  years?: Readonly<Record<string, number>>;
  /** The language is written without spaces, so words have no borders. */
  spaceless?: boolean;
  /**
   * Words of a question for everything that happened or is known, and for everything that was said.
   */
  asking: string;
  saying: string;
};

const chineseWeekdays = '日|天 一 二 三 四 五 六';

export const dayWords: readonly DayWords[] = [
  {
    language: 'german',
    steps: {
      vorvorgestern: -3,
      vorgestern: -2,
      'gestern|(?:in der )?(?:letzten?|vergangenen?|vorigen?) nacht': -1,
      'heute|diesen (?:morgen|abend)': 0,
      übermorgen: 2,
      '(?<!am |guten |jeden |early )morgen': 1,
    },
    weekdays: 'sonntag montag dienstag mittwoch donnerstag freitag samstag|sonnabend',
    months:
      'januar|jänner februar märz april mai juni juli august september oktober november dezember',
    units: 'tag(?:en?)? wochen? monat(?:en?|s)? jahr(?:en?|s)? wochenende',
    last: '(?:letzt|vorig|vergangen)e[rnms]?',
    this: 'diese[rnms]?',
    next: '(?:nächst|kommend)e[rnms]?',
    numbers: 'eine[nrm]? zwei drei vier fünf sechs sieben acht neun zehn',
    ago: ['vor {n} {unit}'],
    alone: 'am {day}\\.?',
    inMonth: 'im',
    asking: `was habe ich hab haben wir hatte hatten du hast hat gemacht mache machten machte getan tat taten
      passiert passierte geschehen geschah war waren ist bin los es gab gibt sich ereignet für von vom
      am an im in der die das den dem zu über alles etwas alle zeig zeige mir uns mein meine liste
      erinnerungen notizen weißt weisst du tag abend nacht morgen früh vormittag nachmittag mittag
      unternommen erlebt bitte so denn nochmal und`,
    saying: 'gesagt sagte erzählt erzählte gesprochen besprochen geredet erwähnt dir',
  },
  {
    language: 'french',
    steps: {
      'avant[ -]hier': -2,
      'hier|la nuit (?:derniere|passée)': -1,
      "aujourd['’]?hui|ce (?:matin|soir)|cet après[ -]midi": 0,
      'après[ -]demain': 2,
      demain: 1,
    },
    weekdays: 'dimanche lundi mardi(?!\\sgras) mercredi jeudi vendredi samedi',
    months: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
    units: 'jours? semaines? mois an(?:s|née|nées)? week-?end',
    last: 'derni(?:er|ère)s?|passée?',
    this: 'cette|cet?',
    next: 'prochaine?|suivante?',
    numbers: 'une? deux trois quatre cinq six sept huit neuf dix',
    ago: ['il y a {n} {unit}'],
    alone: 'le {day}',
    inMonth: 'en',
    asking: `que qu quoi quel quelles est ce c ai j je nous avons on a tu as ont fait fais faisait faisais
      faisions passe passé s se était il y avait eu arrivé de des d les le la l du un une au à en ma mes
      mon notre nos me moi souvenirs notes montre liste tout tous ce qui soir matin nuit après midi
      journée jour pendant neuf`,
    saying: 'dit parlé raconté discuté mentionné t te',
  },
  {
    language: 'spanish',
    steps: {
      'anteayer|antes de ayer|antier': -2,
      'ayer|anoche|la noche pasada': -1,
      'hoy|esta (?:mañana|tarde|noche)': 0,
      'pasado mañana': 2,
      '(?<!la |de |esta )mañana': 1,
    },
    weekdays: 'domingo lunes martes miércoles jueves viernes sábado',
    months:
      'enero febrero marzo abril mayo junio julio agosto sep?tiembre octubre noviembre diciembre',
    units: 'd[ií]as? semanas? mes(?:es)? años? fin\\sde\\ssemana',
    last: '(?:pasad|últim)[oa]',
    this: 'est[ea]',
    next: 'próxim[oa]|que viene',
    numbers: 'una? dos tres cuatro cinco seis siete ocho nueve diez',
    ago: ['hace {n} {unit}', '{n} {unit} atrás'],
    alone: 'el (?:día )?{day}',
    inMonth: 'en',
    asking: `qué hice hicimos he hecho hemos hacía hacíamos pasó ocurrió sucedió ha pasado fue fui fuimos
      había hubo yo nosotros lo que en el la los las de del por para a mi mis me nos muestra muéstrame
      todo todos algo día noche mañana tarde mediodía recuerdos notas recuerdas sabes estuve estuvimos
      haciendo nuevo y cómo`,
    saying: 'dije hablamos conté mencioné te hablé dijimos',
  },
  {
    language: 'italian',
    steps: {
      "l['’]altro ieri|altro ?ieri|avantieri|ieri l['’]altro": -2,
      'ieri|la (?:scorsa notte|notte scorsa)|stanotte': -1,
      'oggi|stamattina|stasera|questa (?:mattina|sera)': 0,
      dopodomani: 2,
      domani: 1,
    },
    weekdays: 'domenica lunedì martedì mercoledì giovedì venerdì sabato',
    months:
      'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
    units: 'giorn[oi] settiman[ae] mes[ei] ann[oi] fine\\ssettimana|weekend',
    last: 'scors[oa]|passat[oa]',
    this: "quest['’]|quest[oa]",
    next: 'prossim[oa]',
    numbers: "un[oa]?|un['’] due tre quattro cinque sei sette otto nove dieci",
    ago: ['{n} {unit} fa'],
    alone: 'il (?:giorno )?{day}',
    inMonth: 'a|in',
    asking: `cosa che ho abbiamo fatto facevo facevamo feci facemmo successo accaduto accadde successe è e c
      era stato stati sono il lo la l le i gli di del della dei dell in nel nella per a al da mi ci mia
      mie mio miei mostra mostrami tutto tutti ricordi note ricordi sai sera mattina notte pomeriggio
      mattino giornata giorno io noi nuovo`,
    saying: 'detto parlato raccontato discusso menzionato ti',
  },
  {
    language: 'portuguese',
    steps: {
      'anteontem|antes de ontem': -2,
      'ontem|(?:n?a )?noite passada': -1,
      'hoje|esta (?:manhã|tarde|noite)': 0,
      'depois de amanhã': 2,
      amanhã: 1,
    },
    weekdays:
      'domingo segunda[-\\s]feira terça[-\\s]feira quarta[-\\s]feira quinta[-\\s]feira sexta[-\\s]feira sábado',
    months:
      'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
    units: 'dias? semanas? m[eê]s(?:es)? anos? fim\\sde\\ssemana',
    last: '(?:passad|últim)[oa]',
    this: '(?:n?est|n?ess)[ea]',
    next: 'próxim[oa]|que vem',
    numbers: 'uma? dois|duas três quatro cinco seis sete oito nove dez',
    ago: ['há {n} {unit}(?: atrás)?', '{n} {unit} atrás'],
    alone: '(?:no )?dia {day}',
    inMonth: 'em',
    asking: `o que eu nós a gente fiz fizemos fazia fazíamos tinha houve aconteceu passou se foi fui fomos
      em no na nos nas de do da dos das à as os um uma por para meu meus minha minhas me mostra mostre
      tudo todos algo dia noite manhã tarde lembranças memórias notas lembra sabe estava fazendo novo e`,
    saying: 'disse falei falamos contei mencionei te',
  },
  {
    language: 'russian',
    steps: {
      позавчера: -2,
      'вчера|прошлой ночью': -1,
      сегодня: 0,
      послезавтра: 2,
      завтра: 1,
    },
    weekdays: 'воскресень[ея] понедельник вторник сред[ауы] четверг пятниц[ауы] суббот[ауы]',
    months:
      'январ[яье] феврал[яье] март[ае]? апрел[яье] ма[йяе] июн[яье] июл[яье] август[ае]? сентябр[яье] октябр[яье] ноябр[яье] декабр[яье]',
    units: 'день|дн(?:я|ей) недел[иьюе] месяц(?:а|ев|е)? год(?:а|у)?|лет выходн(?:ые|ых)',
    last: 'прошл(?:ой|ом|ая|ый|ую|ые|ых|ое)',
    this: 'эт(?:ой|ом|у|и|от)',
    next: 'следующ(?:ей|ем|ий|ую|ие)',
    numbers: 'од(?:ин|ну|на) два|две три четыре пять шесть семь восемь девять десять',
    ago: ['{n} {unit} назад', '{unit} назад'],
    alone: '{day}(?:-го| числа)',
    inMonth: 'в',
    asking: `что я мы делал делала делали сделал сделала сделали было был была произошло случилось
      происходило в во на о об за со с мной мною у меня нас мои моя мне нам покажи всё все воспоминания
      заметки вечером утром ночью днём день нового знаешь помнишь из`,
    saying: 'говорил говорила сказал сказала обсуждали рассказывал рассказывала говорили тебе',
  },
  {
    language: null,
    steps: {
      '一昨日|おととい': -2,
      '昨日|きのう|昨夜|昨晩|ゆうべ': -1,
      '今日|きょう|今朝|今晩|今夜': 0,
      '明後日|あさって': 2,
      '明日|あした': 1,
    },
    weekdays: '日曜日? 月曜日? 火曜日? 水曜日? 木曜日? 金曜日? 土曜日?',
    units: '日 週間?|週 (?:[かヶヵカケ箇])?月 年 週末',
    last: '先',
    this: '今|この',
    next: '来',
    numbers: '一 二|両 三 四 五 六 七 八 九 十',
    ago: ['{n}{unit}前'],
    alone: '{day}日',
    years: { '去年|昨年': -1, 今年: 0, 来年: 1 },
    spaceless: true,
    asking: `何 なに なん を が は に の で と も へ 私 わたし 僕 俺 しました していました していた した やった
      やりました あった ありました 起きた 起こった 起きました 起こりました こと 出来事 か です でした だった
      教えて ください 全部 夜 朝 午前 午後 夕方 昼 たち どんな 記憶 メモ ましたか`,
    saying: '話した 話しました 言った 言いました',
  },
  {
    language: null,
    steps: {
      大前天: -3,
      前天: -2,
      '昨天|昨日|昨晚|昨夜': -1,
      '今天|今日|今早|今晚': 0,
      '后天|後天': 2,
      明天: 1,
    },
    weekdays: `${chineseWeekdays
      .split(' ')
      .map((day) => `(?:星期|礼拜|禮拜|周|週)(?:${day})`)
      .join(' ')}`,
    units: '天|日 (?:个|個)?(?:星期|礼拜|禮拜|周|週) (?:个|個)?月 年 (?:个|個)?周末',
    last: '上',
    this: '这|這|本',
    next: '下',
    numbers: '一 二|两|兩 三 四 五 六 七 八 九 十',
    ago: ['{n}{unit}(?:之|以)?前'],
    alone: '{day}[日号號]',
    years: { 去年: -1, 今年: 0, 明年: 1 },
    spaceless: true,
    asking: `我们 我們 我 做 干 幹 了 什么 什麼 甚麼 些 过 過 发生 發生 有 的 事情 事 在 是 都 吗 嗎 呢 晚上
      早上 下午 上午 中午 夜里 那天 告诉 告訴 显示 顯示 所有 记忆 記憶 情 哪 啥 一 里`,
    saying: '说 說 聊 谈 談 提到',
  },
];
