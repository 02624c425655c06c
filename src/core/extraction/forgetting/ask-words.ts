import { indexByWord } from '../../language/by-word.ts';

/** What is done to a memory: "forget", "delete". Where one leads a sentence, its object follows. */
export const askVerbs = indexByWord({
  english: `forget forgot forgetting delete deleting remove removing erase erasing drop wipe wiping
    scrap clear purge stop remembering strike ditch bin del forgt`,
  german: `vergiss vergessen vergesst vergisst lösche löschen lösch streiche streich entferne
    entfernen`,
  french: `oublie oubliez oublier supprime supprimez supprimer efface effacez effacer`,
  spanish: 'olvida olvide olvidar olvidate olvídate borra borre borrar elimina elimine eliminar',
  italian: `dimentica dimenticare dimentichi dimenticati scorda scordati cancella cancellare
    cancelli elimina eliminare elimini`,
  portuguese: `esquece esqueça esquecer apaga apague apagar remova remover exclua excluir elimine
    eliminar`,
  russian: 'забудь забудьте забыть удали удалите удалить сотри сотрите стереть',
});

/** Words of mere category beside them: that it is a note, or that it was told. */
export const askNouns = indexByWord({
  english: `memory memories remember remembered note notes noted thing things stuff bit part info
    information detail details fact facts entry entries record records everything anything whatever
    all about regarding concerning told said mentioned shared stored saved know knew wrote`,
  german: `alles gesagt erzählt geschrieben sache sachen notiz notizen eintrag information
    informationen gedächtnis erinnerung erinnerungen speicher gespeichert tatsache bezüglich`,
  french: `tout dit raconté parlé écrit chose choses note notes souvenir souvenirs mémoire
    information informations fait histoire concernant propos`,
  spanish: `todo dije conté hablé cosa cosas nota notas recuerdo recuerdos memoria información dato
    datos hecho acerca`,
  italian: `tutto detto raccontato parlato cosa cose nota note ricordo ricordi memoria informazione
    informazioni fatto riguardo`,
  portuguese: `tudo disse contei falei coisa coisas nota notas lembrança lembranças memória
    informação informações dados fato facto respeito`,
  russian: `все всё говорил говорила сказал сказала рассказал рассказала рассказывал рассказывала
    память памяти запись записи информацию факт вещь`,
});

/** How people are polite, and address whom they ask. */
export const politeWords = indexByWord({
  english: `please pls plz thanks thank thx ok okay hey hi just also actually now kindly can could
    would will want like you`,
  german: 'bitte danke mal doch einfach kannst könntest würdest möchte dass',
  french: 'stp svp plait merci peux pourrais peut peux-tu',
  spanish: 'favor gracias puedes podrías porfa quiero',
  italian: 'favore grazie puoi potresti pure vorrei',
  portuguese: 'favor obrigado obrigada pode poderia você',
  russian: 'пожалуйста спасибо можешь можно прошу мою моего моей моих моим моему моём',
});

/** Further words with which requests are put that do not begin with such a verb. */
export const freeWords = indexByWord({
  english: `scratch lose let rid gone goes get got hold take go going put asap ur im lol one rest
    rather should may might literally really private anymore mention bring longer never again mind
    ask asked need keep kept file don't your you've you're i'd that's whole forgotten deleted`,
  german: 'nehmen nimm weg raus behalten merken mehr brauchst',
  french: 'guardes garder garde enlève retire',
  spanish: 'guardes guardar quita',
  italian: 'conservare togli',
  portuguese: 'guardar tira',
  russian: 'убери хочу храни',
});

/** How memories call the person whose they are. */
export const userWord = new RegExp(
  "^(?:user(?:['’]s)?|(?:be)?nutzer(?:in|s|innen)?|utilisat(?:eur|rice)|usu[aá]ri[oa]|utente|" +
    'пользовател\\p{L}*)$',
  'u',
);

/** Persons of whom a memory may speak: what one does is not what another does. */
export const person = new RegExp(
  '(?<!\\p{L})(?:sons?|daughters?|child(?:ren)?|kids?|baby|wife|husband|partner|spouse|ex|' +
    '(?:boy|girl)?friends?|fianc[ée]e?|brothers?|sisters?|siblings?|(?:grand|step)?(?:mother|' +
    'father|parent)s?|mum|mom|dad|grand(?:ma|pa|son|daughter|child|children)|uncle|aunt|nephew|' +
    'niece|cousins?|boss|manager|colleagues?|coworkers?|neighbou?rs?|roommate|flatmate|landlord|' +
    'landlady|sohn(?:es)?|söhne|tochter|töchter|kind(?:er|es)?|(?:ehe)?frau|(?:ehe)?mann(?:es)?|' +
    'partnerin|freund(?:in|e|es)?|bruders?|schwestern?|geschwister|(?:groß)?(?:mutter|vater|' +
    'vaters|eltern)|oma|opa|onkel|tante|neffen?|nichte|cousine|chefin|chefs?|kollegen?|kollegin|' +
    'nachbarn?|nachbarin|' +
    'schw[aä]ger(?:in)?|schwieger\\p{L}+|enkel(?:in)?|mitbewohner(?:in)?|fils|' +
    'filles?|femme|mari|épou(?:x|se)|frères?|s(?:œ|oe)urs?|mère|père|parents|mamie|papi|oncle|' +
    'neveu|nièce|amie?s?|copain|copine|collègues?|cheffe|voisine?s?|enfants?|hij[oa]s?|' +
    'espos[oa]|marido|mujer|herman[oa]s?|madre|padres?|abuel[oa]s?|tí[oa]|prim[oa]|' +
    'amig[oa]s?|colegas?|compañer[oa]|jef[ea]|vecin[oa]s?|novi[oa]|suegr[oa]|sobrin[oa]|niet[oa]|' +
    'cuñad[oa]|figli[oa]?|moglie|marito|fratell[oi]|sorell[ae]|nonn[oai]|zi[oa]|cugin[oa]|' +
    'amic[oa]|amici|colleg[ah]i?|capo|vicin[oa]|fidanzat[oa]|compagn[oa]|ragazz[oa]|suocer[oa]|' +
    'nipote|cognat[oa]|filh[oa]s?|mulher|irmã(?:o|os|s)?|mãe|pai|pais|av[óô]|ti[oa]|' +
    'chefe|vizinh[oa]s?|namorad[oa]|noiv[oa]|sogr[oa]|sobrinh[oa]|net[oa]|cunhad[oa]|' +
    '(?:сестр|брат|жен[аеуыо]|муж|сын|доч|мам|матер|пап|отц|отец|друг|подруг|коллег|начальни|' +
    'сосед|тёт|тет|дяд|бабуш|дедуш|племянни|ребен|ребён|дет[ие])\\p{L}{0,5})(?!\\p{L})|' +
    '弟|妹|姉|兄|姐|哥|母|父|妈|爸|妻|夫|老公|老婆|娘|息子|儿子|女儿|朋友|友人|友達|同事|同僚|' +
    '上司|老板|邻居|甥|姪|侄|叔|爷爷|奶奶|祖父|祖母|子ども|子供|孩子|彼氏|彼女|男友|女友',
  'giu',
);

/** Others that do something where they come first: "User's dog has a peanut allergy". */
export const animal = new RegExp(
  '^(?:dogs?|cats?|horse|hamster|rabbit|parrot|hund(?:es)?|katze|kater|pferd|chien(?:ne)?|' +
    'chat(?:te)?|perr[oa]|gat[oa]|cane|gatt[oa]|cachorr[oa]|cão|собак\\p{L}*|кошк\\p{L}*|кот)$',
  'u',
);
