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
};

const concepts = Object.entries(conceptWords).map(([name, words]) => {
  // A space at the end of a word stands for its end; scripts without spaces know no beginnings.
  const starts = words.replaceAll(/ (?=\||$)/g, '(?!\\p{L})');
  const start = '(?<![\\p{Script=Latin}\\p{Script=Cyrillic}])';
  return { name, pattern: new RegExp(`${start}(?:${starts})`, 'iu') };
});

/** What a statement says of change, in the order of the table. */
export function findPairConcepts(text: string): string[] {
  return concepts.filter(({ pattern }) => pattern.test(text)).map(({ name }) => name);
}
