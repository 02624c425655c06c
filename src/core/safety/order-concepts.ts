/**
 * What orders to agents are about, by the beginnings of words in the nine languages, as
 * `plain-text.ts` reads them: without accents. An alternative that ends with a space is a whole
 * word. What is learned in one language counts in all.
 */
const conceptWords: Readonly<Record<string, string>> = {
  agent:
    'assistants? |ai |ais |llms? |language models? |models? |bots? |chatbot|agents? |gpt|copilot|assistenten? |' +
    'ki |sprachmodell|ia |ias |modeles? |asistente|modelos? |assistente |modell[oi] |ии |нейросет|ассистент|' +
    'модел|бот |агент|アシスタント|エージェント|モデル|ボット|助手|模型|智能体|机器人',
  user:
    'users? |customers? |reader|account holder|operator|nutzer|benutzer|anwender|kunde|utilisateur|usager|' +
    'client|usuari|utent|пользовател|клиент|ユーザ|利用者|読者|用户|使用者|读者|客户',
  ignore:
    'ignor|disregard|forget|overrid|bypass|set aside|discard|no longer appl|vergiss|missacht|vergessen|oubli|' +
    'tiens plus compte|olvid|dimentic|trascur|esquec|desconsider|игнорир|забуд|отмен|無視|忘れ|忽略|无视|忘记|忘掉',
  rules:
    'instruction|rules? |guideline|polic|prompt|directive|restriction|filter|safeguard|guardrail|anweisung|' +
    'regeln? |vorgabe|richtlinie|consigne|regle|instruccion|reglas? |normas? |istruzion|regol[ae]|instruco|' +
    'regras? |diretriz|инструкц|правил|указан|指示|命令|ルール|規則|指令|规则|提示词|限制|制限',
  send:
    'send|forward|e-?mail|post |upload|transmit|leak|exfil|submit|share|schick|sende|weiterleit|leite|' +
    'ubermittel|envo[iy]|transmet|transfer|envi[ae]|manda|reenvi|invi[ao]|inoltr|spedi|encaminh|отправ|пересл|' +
    'перешл|пришл|送信|転送|送っ|发送|转发|发给|发到',
  secret:
    'passw|credential|secret|tokens? |api|keys? |private|contact|histor|card|codes? |zugangsdaten|geheim|' +
    'schlussel|kontakt|verlauf|mots? de passe|identifiant|cles? |contrasen|claves? |chiav|segret|senha|chaves? |' +
    'segred|парол|ключ|секрет|контакт|переписк|パスワード|秘密|鍵|連絡先|履歴|密码|密钥|联系人|记录',
  hide:
    "hide|conceal|don't (?:tell|say|mention)|do not (?:tell|mention|inform|reveal)|without (?:telling|mention)|" +
    'silent|quietly|secretly|omit|leave out|verschweig|verheimlich|heimlich|cache|dissimul|omet|sans le dire|' +
    'ne (?:pas )?(?:le )?(?:dis|mention|precis|parle)|ocult|omit|sin (?:decir|avisar)|no (?:le |lo )?(?:digas|mencion)|' +
    'nascond|senza dir|non (?:dire|menzion)|escond|sem avisar|nao (?:conte|mencione|diga)|скр[оы]|тайно|' +
    'не (?:говори|упомина|сообща)|内緒|隠|言わず|知らせず|隐藏|隐瞒|不要告诉|别告诉|不要提',
  lasting:
    'from now|henceforth|always|every (?:time|answer|reply)|whenever|ab sofort|immer|kunftig|desormais|' +
    "toujours|dorenavant|a partir d|siempre|d'ora in poi|sempre|отныне|всегда|с этого момента|今後|必ず|常に|" +
    'これから|从现在|总是|每次|必须|始终',
  condition:
    'if |when |once |as soon as|wenn|sobald|falls|si |quand |cuando|cada vez|se |quando|если|когда|каждый раз|' +
    'たら|場合|如果|当|每当',
  memory:
    'memor|remember|record|store|save|gedachtnis|erinner|speicher|souvenir|retiens|recuerd|guarda|ricord|registr|' +
    'lembr|памят|запомн|сохран|запиши|記憶|覚え|保存|记忆|记住|记录',
  remove:
    'delet|eras|wipe|purg|remov|losch|supprim|efface|borra|elimin|cancell|apag|exclu|удал|сотр|削除|消し|消去|删除|清除|清空',
  promote:
    'recommend|promot|prais|suggest|endors|rank|five stars|best |empfehl|empfiehl|lob|recommand|propos|recomiend|' +
    'recomend|consigli|raccomand|sugir|рекоменд|совет|хвал|勧め|推薦|薦め|推荐|满分|好评',
  read: 'summar|read this|reading this|page|document|zusammenfass|resum|lis|lies|riassum|читает|резюм|要約|読|总结|阅读',
  persona:
    'you are now|act as|pretend|role|du bist|spiel|tu es |fais semblant|eres |actua|finge|sei (?:ora|adesso)|fing|' +
    'voce (?:e|se chama)|aja |ты теперь|притвор|あなたは|ふり|なりき|你现在|扮演|假装|你是',
  limitless:
    'unrestrict|unlimited|no (?:rules|limits|restrict|filters)|without (?:rules|limits|restrict|filter)|refus|' +
    'ohne (?:einschrank|regeln|grenzen|filter)|sans (?:limite|restriction|filtre|regle)|sin (?:limit|restric|filtro|regla)|' +
    'senza (?:limit|restriz|filtr|regol)|sem (?:limit|restric|filtro|regra)|без (?:огранич|правил|фильтр)|無制限|' +
    '制限(?:の|は|が)?(?:ない|なし|な)|没有(?:任何)?限制|不受限|拒绝|拒否|отказ|recus|rifiut|weiger',
  unasked:
    "without (?:asking|confirm|approv)|no (?:need to ask|confirmation)|don't ask|ohne (?:zu fragen|ruckfrage|bestatig)|" +
    'sans (?:demander|confirm)|inutile de|sin (?:preguntar|confirm)|senza (?:chieder|conferm)|sem (?:perguntar|confirm)|' +
    'не спраш|без (?:подтвержд|спроса)|確認(?:せず|なし|不要)|許可なく|聞かず|无需|不用问|不要询问|未经',
  reveal:
    'reveal|print|output|repeat|disclos|verbatim|word for word|show|gib |zeige|wiederhol|revel|affich|repet|' +
    'muestra|mostra|rivel|stampa|ripet|revela|раскр|покажи|выведи|повтори|表示|明か|教え|显示|透露|输出|泄露|说出',
  authority:
    'system|admin|developer|owner|urgent|important|official|verified|entwickler|betreiber|wichtig|systeme|' +
    'developpeur|sistema|desarrollador|sviluppator|desenvolvedor|систем|разработчик|администратор|важно|システム|' +
    '管理者|開発者|重要|系统|管理员|开发者|紧急',
};

let compiled: readonly { name: string; pattern: RegExp }[] | null = null;

/** Compiled with the first text that is judged: few calls of a short process store one. */
function compileConcepts() {
  return Object.entries(conceptWords).map(([name, words]) => {
    // A space at the end of a word stands for its end; scripts without spaces know no beginnings.
    const starts = words.replaceAll(/ (?=\||$)/g, '(?!\\p{L})');
    return {
      name,
      pattern: new RegExp(`(?<![\\p{Script=Latin}\\p{Script=Cyrillic}])(?:${starts})`, 'iu'),
    };
  });
}

/** The concepts that a text names, in the order of the table. */
export function findConcepts(text: string): string[] {
  compiled ??= compileConcepts();
  return compiled.filter(({ pattern }) => pattern.test(text)).map(({ name }) => name);
}
