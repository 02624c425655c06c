/**
 * Words of nine languages for one thing, in lower case: what the English pairs teach of "stopped"
 * then serves the other languages too. A bar separates the beginnings of words.
 */
const conceptWords: Readonly<Record<string, string>> = {
  ended:
    "stopp|quit|no longer |no more |not .{0,40}any ?more |n['’]t .{0,40}any ?more |went off |" +
    'goodbye |cancel|ended |finished |gave up|given up|dropped |ditched |done with|aufgehört|' +
    'aufgegeben|gekündigt|nicht mehr|kein\\p{L}* .{0,30}mehr |beendet|abgemeldet|arrêt|' +
    "résili|abandonn|fini |quitté|ne .{0,20}plus |n[’'].{0,20}plus |dej[eéó] |dejado|ya no |" +
    'cancelé|abandon|lasciat|smess|disdett|non .{0,30}più |parei|deixei|larguei|cancelei|' +
    'não .{0,30}mais |бросил|перестал|больше не|отказал|закончил|やめ|辞め|解約|卒業|もう.{0,12}ない|不再|' +
    '戒了|放弃|取消|退了|辞',
  died:
    'died |dead |passed away|buried |put to sleep|gestorben|verstorben|eingeschläfert|' +
    'mort[es]* |décéd|muri|fallec|morto |morta |mancat|morreu|faleceu|умер|погиб|не стало|' +
    'усыпи|亡くな|死|去世|走了|没了',
  sold:
    'sold |selling |gave .{0,20}away|given away|gave it |got rid|threw out|binned|scrapped|' +
    'verkauft|verschenkt|weggegeben|vendu|donné |jeté|vend[ií] |regal|vendid|tiré |vendut|' +
    'buttat|vendi |doei|продал|отдал|выбросил|売|手放|譲|捨て|卖|送人|扔',
  moved:
    'moved |moving |left |umgezogen|gezogen|weggezogen|ausgezogen|déménag|parti|mud[éeóo]|' +
    'mudad|me fui|trasferit|traslocat|переехал|переезж|съехал|ушл|ушел|ушёл|уволи|引っ越|転職|退職|' +
    '搬|离开|辞职',
  rehomed:
    'moved (?:to|from|into|out|over|house|back|away|here)|moving to|relocat|umgezogen|gezogen|' +
    'weggezogen|déménag|mud(?:é|ei|amos|ou|aram) |mudado|trasferit|traslocat|переехал|' +
    'переезж|引っ越|搬',
  changed:
    'switch|swap|chang|replac|instead |traded |gewechselt|umgestiegen|statt |getauscht|' +
    'remplac|passé |au lieu|à la place|cambi|en vez|en lugar|al posto|invece|passat|troquei|' +
    'mudei|em vez|поменял|смени|перешел|перешёл|перешла|вместо|変え|乗り換え|代わり|変わ|換|换|改',
  now:
    'now |nowadays|these days|from now on|since |jetzt |inzwischen|mittlerweile|seit |' +
    'ab sofort|maintenant|désormais|depuis |ahora |desde |adesso|ormai|ora |da quando|agora|' +
    'теперь|сейчас|с тех пор|отныне|今は|現在|これから|现在|如今|从今',
  again:
    'back on|back to|again |resum|wieder |de nouveau|repris|vuelt|otra vez|di nuovo|ripres|' +
    'ricominciat|voltei|de novo|снова|опять|вернул|また|再び|再開|又|重新',
  parted:
    'broke up|split up|divorc|separat|getrennt|geschieden|rompu|quittés|divorcé|rompim|' +
    'hemos roto|lasciati|divorziat|termin|расста|развел|развёл|развод|別れ|離婚|分手|离婚',
  other:
    'my (?:brother|sister|mother|father|mum|dad|cousin|friend|neighbou?r|colleague|boss|aunt|' +
    'uncle|son|daughter|flatmate)|mein\\p{L}* (?:bruder|schwester|mutter|vater|freund|' +
    'nachbar|kolleg|chef|tante|onkel|sohn|tochter|cousin)|(?:mon|ma) (?:frère|sœur|mère|père|' +
    'ami|voisin|collègue|cousin|tante|oncle|fils|fille|chef)|mi (?:herman|madre|padre|amig|' +
    'vecin|prim|tí[oa]|hij|jef|compañer)|(?:mio|mia) (?:fratello|sorella|madre|padre|amic|' +
    'vicin|cugin|zi[oa]|figli|colleg|capo)|(?:meu|minha) (?:irmã|mãe|pai|amig|vizinh|prim|' +
    'ti[oa]|filh|colega|chefe)|мо[йяи] (?:брат|сестр|мам|пап|друг|подруг|сосед|двоюродн|' +
    'коллег|сын|доч|тет|тёт|дяд)|(?:兄|姉|弟|妹|母|父|友達|友人|同僚|隣|いとこ|息子|娘|上司)[がはの]|我(?:哥|姐|弟|妹|妈|爸|' +
    '朋友|同事|邻居|表|儿子|女儿|老板)',
  once:
    'today |tonight |yesterday |last night|this (?:week|morning|time|tuesday|monday)|' +
    'for once|just this|heute |gestern |diese woche|ausnahmsweise|diesmal|aujourd|hier |' +
    'cette semaine|ce soir|exception|hoy |ayer |esta semana|esta vez|este (?:lunes|martes|' +
    'jueves|viernes)|oggi |ieri |questa settimana|stavolta|hoje |ontem |essa semana|' +
    'dessa vez|desta vez|сегодня|вчера|на этой неделе|в этот раз|今日|昨日|今週|今回|今夜|今天|昨天|这周|这次',
  also:
    'also |too |as well|besides |auch |außerdem|zusätzlich|aussi |également|en plus|también|' +
    'además|anche |pure |inoltre|também|além|тоже|также|ещё |еще |も|也|还',
  likes:
    'love|(?<!would )like |likes |liked |liking |enjoy|ador|fond of|fan of|keen on|favou?rite|' +
    'prefer|mag |mögen |lieb|gerne? |bevorzug|aime|aimé|préfér|raffol|gust[aóo]|encant|prefier|' +
    'piac|am[oa] |gost|люб|нрав|обожа|предпоч|好き|好物|気に入|喜欢|爱|喜爱',
  dislikes:
    "hate|dislik|detest|loath|despis|ca(?:n['’]t|nnot) (?:stand|bear)|no fan|sick of|fed up|" +
    'not .{0,12}(?:fan|fond|keen|like|love|enjoy)|(?:go|gone|going|went) .{0,8}off |' +
    "(?:do|does|did)n['’]t .{0,12}(?:like|love|enjoy|care for)|used to (?:like|love|enjoy)|" +
    '(?:never|no longer|stopped) .{0,8}(?:lik|lov|enjoy)|hass|verabscheu|' +
    'nicht (?:mehr )?(?:ausstehen|leiden|gern)|mag .{0,24}(?:nicht|kein)|détest|hais |hait |' +
    'aim\\p{L}+ (?:pas|plus)|horreur|support\\p{L}+ (?:pas|plus)|odi[oaé]|odei|' +
    'no .{0,6}(?:gust|soport|encant|aguant)|non .{0,10}(?:piac|sopport|am[oa] )|' +
    'não .{0,6}(?:gost|suport)|не .{0,12}(?:люб|нрав)|ненави|терпеть не|嫌|苦手|' +
    '好き(?:じゃ|では|でも)?な[いく]|讨厌|不.{0,3}喜欢|不爱|受不了|厌',
  not:
    "never |not |no |(?:do|does|did|can|wo)n['’]t |nie |nicht |kein|pas |jamais |nunca |mai |non |" +
    'não |не |никогда |ない|ません|不|没',
  lives:
    'live[sd]? |living in|based in|wohn|leb[te] |habite|vis |vit |viv[oe] |abit[oa] |mor[ao] |' +
    'жив[уеё]|прожива|住',
  works: 'work|job |teach|employ|arbeit|travaill|trabaj|lavor|trabalh|работ|働|勤|工作|上班',
  has:
    "has |have |['’]ve |owns? |got |hat |habe? |besitz|possède |a une? |ai une? |tiene |tengo |" +
    'ha una? |ho una? |tem uma? |tenho |есть |飼|持って|有|养',
  uses:
    'use[sd]? |using |(?:be)?nutz(?:e|t) |verwend|utilise |us[oa] |utilizo |utiliza |пользу|' +
    'использу|使|用(?![户戶])',
  plans:
    'fly|flight|trip |travel|holiday|journey|appointment|booked|wedding|reise|flieg|termin |' +
    'urlaub|vol |voyage|rendez-vous|viaj|vuelo|cita |viagg|volo |appuntament|viagem|voo |' +
    'consulta |лет[ия]|поездк|встреч|旅行|出張|予約|飛|飞|预约|行程',
};

function patternOf(words: string, flags: string): RegExp {
  // A space at the end of a word stands for its end; scripts without spaces know no beginnings.
  const starts = words.replaceAll(/ (?=\||$)/g, '(?!\\p{L})');
  const start = '(?<![\\p{Script=Latin}\\p{Script=Cyrillic}])';
  return new RegExp(`${start}(?:${starts})`, flags);
}

const concepts = Object.entries(conceptWords).map(([name, words]) => ({
  name,
  pattern: patternOf(words, 'iu'),
}));

const dislikes = patternOf(conceptWords['dislikes'] ?? '', 'giu');

/** What a statement says of change, in the order of the table. */
export function findPairConcepts(text: string): string[] {
  // "Don't like" is no liking.
  const liked = text.replaceAll(dislikes, ' ');
  return concepts
    .filter(({ name, pattern }) => pattern.test(name === 'likes' ? liked : text))
    .map(({ name }) => name);
}

/** Makes of one kind of thing, of which most people have one: their vectors are not near. */
const makes: readonly string[] = [
  'android fairphone galaxy honor huawei iphone motorola nokia oneplus pixel samsung xiaomi',
  'asus chromebook dell lenovo imac macbook thinkpad',
  'chrome chromium firefox safari vivaldi',
  'debian fedora linux macos ubuntu windows',
];

const kindsOfMakes = new Map(
  makes.flatMap((names, kind) => names.split(' ').map((name) => [name, kind])),
);

/** Whether two words in lower case are makes of one kind of thing, such as of phones. */
export function areSameKind(one: string, other: string): boolean {
  const kind = kindOfMake(one);
  return kind !== undefined && kind === kindOfMake(other);
}

/** "iPhone's" and "l'iPhone" are one. */
function kindOfMake(word: string): number | undefined {
  return kindsOfMakes.get(word.replace(/^\p{L}'|'s$/u, ''));
}
