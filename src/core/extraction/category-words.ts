import type { RuleLanguage } from './languages/all-languages.ts';

/** The default catalogue, for projects and adds that name no categories of their own. */
export const defaultCategories = [
  'personal_details',
  'family',
  'professional_details',
  'sports',
  'travel',
  'food',
  'music',
  'health',
  'technology',
  'hobbies',
  'fashion',
  'entertainment',
  'milestones',
  'user_preferences',
  // Never chosen by rules: a memory that fits no other category has none.
  'misc',
] as const;
export type DefaultCategory = (typeof defaultCategories)[number];

type CategoryWords = Partial<Record<DefaultCategory, string>>;

/** Pattern alternatives by category: whole words that hardly mean anything else. */
export const categoryWords: Record<RuleLanguage, CategoryWords> = {
  en: {
    personal_details:
      'born (?:in|on)|grew up in|hometown|birthday|phone number|e-?mail address|home address|' +
      'moved (?:from|to)|lives? in|is from|nationality|turned \\d+|years of age',
    family:
      'wife|husband|spouse|sons?|daughters?|mom|mum|mother|father|dad|sisters?|brothers?|' +
      'siblings?|parents?|grand(?:ma|pa|mother|father|parents?|sons?|daughters?|child|children)|' +
      'uncle|aunt|cousins?|nephews?|nieces?|\\p{L}+-in-law|kids?|child|children|twins|' +
      'fiancée?|girlfriend|boyfriend|family|baby|married',
    professional_details:
      'jobs?|career|works? (?:at|for|as|in)|worked (?:at|for|as)|at work|colleagues?|' +
      'co-?workers?|boss|promoted|promotion|salary|employer|hired|laid off|freelanc\\p{L}*|' +
      'internship|teaches|engineer|developer|nurse|chef|teacher|lawyer|accountant|' +
      'is an? (?:doctor|designer|writer|student|researcher)|as an? researcher|startup',
    sports:
      'marathon|gym|football|soccer|basketball|tennis|golf|swims?|swimming|cycling|yoga|' +
      'hik(?:e|es|ed|ing)|ski(?:s|ing)?|snowboard\\p{L}*|rock climbing|climbing|surfing|boxing|' +
      'volleyball|baseball|hockey|cricket|rugby|badminton|pilates|crossfit|triathlon|jogs?|' +
      'jogging|workouts?|works out|karate|judo|goes running|runs every|bouldering',
    travel:
      'trips?|travel(?:s|ed|led|ing|ling)?|vacation|flights?|fly|flying|flew|airport|hotels?|' +
      'backpack(?:ed|ing)|passport|cruise|abroad|got back from|sightseeing|' +
      '(?:planning|plans|wants|hopes|going) to visit',
    food:
      'eats?|eating|food|cooks?|cooking|bak(?:es|ed|ing)|restaurants?|recipes?|vegetarian|' +
      'vegan|gluten|coffee|tea|wine|beer|pizza|pasta|sushi|cheese|chocolate|breakfast|lunch|' +
      'dinner|meat|pork|seafood|shellfish|oysters|peanuts?|nuts|lasagna|cuisine|spicy|dairy|' +
      'lactose|soup|dessert|ice cream',
    music:
      'music|guitar|piano|violin|cello|drums|sings?|singing|songs?|bands?|concerts?|albums?|' +
      'orchestra|choir|jazz|playlists?|opera|flute|saxophone|musician',
    health:
      'allerg(?:y|ies|ic)|(?<!(?:is|as|was) an? )doctor|dentist|hospital|surgery|diagnosed|' +
      'diabet(?:es|ic)|asthma|migraines?|medications?|medicine|therapy|blood pressure|illness|' +
      'injur(?:y|ed)|broke (?:their|his|her|my|an?) (?:arm|leg|wrist|ankle|foot|hand|rib|nose)|' +
      'smok(?:e|es|ing)|pregnan(?:t|cy)|anxiety|depression|insomnia|vaccin\\p{L}+|penicillin|' +
      'physiotherapy|headaches?|knee pain|back pain',
    technology:
      'computers?|laptops?|iphones?|ipads?|macbook|android|smartphones?|software|programming|' +
      'coding|python|javascript|typescript|linux|macos|vs code|neovim|vim|docker|kubernetes|' +
      'github|api|apps?|websites?|servers?|databases?|machine learning|ai',
    hobbies:
      'hobby|hobbies|paint(?:s|ed|ing)|draws|drawing|garden(?:s|ing)|knit(?:s|ting)|' +
      'photography|fishing|camping|chess|board games?|pottery|sew(?:s|ing)|woodworking|' +
      'bird ?watching|collects|crochet(?:s|ing)?|origami|puzzles|community orchestra',
    fashion:
      'fashion|clothes|clothing|dresses|shoes|sneakers|outfits?|jeans|wears|jackets?|' +
      'jewell?ery|makeup|handbags?|wardrobe',
    entertainment:
      'movies?|films?|tv|netflix|books?|novels?|video games?|playstation|xbox|nintendo|' +
      'theat(?:er|re)|anime|podcasts?|comedy|comedies|cinema|youtube|binge-?watch\\p{L}*',
    milestones:
      'got (?:married|engaged)|wedding|graduated|had a baby|gave birth|promoted|retired|' +
      'anniversary|bought (?:a|an|their|his|her) (?:first )?(?:house|home|apartment|flat)|' +
      'turned \\d+|divorced|adopted an?|just joined|was born on',
  },
  de: {
    family:
      'Frau|Ehemann|Mann|Sohn|Söhne|Tochter|Töchter|Mutter|Mama|Vater|Papa|Schwester|Bruder|' +
      'Geschwister|Eltern|Oma|Opa|Großeltern|Onkel|Tante|Kinder|Kind|Familie|Freundin',
    professional_details: 'Beruf|Chef(?:in)?|Kolleg(?:e|in|en)|Firma|Gehalt|befördert|arbeite bei',
    sports: 'Fußball|Marathon|Tennis|schwimmen|joggen|Fitnessstudio|Yoga|klettern|wandern|Handball',
    travel: 'Reise|Urlaub|Flug|fliegen|fliege|geflogen|verreisen|Hotel|Flughafen',
    food: 'esse|essen|kochen|koche|vegetarisch|Vegetarier(?:in)?|vegan|Kaffee|Tee|Wein|Bier|Käse',
    music: 'Musik|Gitarre|Klavier|Geige|singe|Chor|Konzert|Schlagzeug',
    health:
      'allergisch|Allergie|Zahnarzt\\p{L}*|Arzt|Krankenhaus|Asthma|Diabetes|Medikamente?|schwanger',
    milestones: 'geheiratet|Hochzeit|verlobt|befördert|Abschluss gemacht',
  },
  fr: {
    family:
      'femme|mari|épouse|fils|fille|filles|mère|maman|père|papa|sœur|frère|parents|' +
      'grand-(?:mère|père)|oncle|tante|cousine?|enfants?|famille',
    professional_details: 'travaille (?:chez|comme|pour)|métier|collègues?|patronn?e?|salaire',
    sports: 'foot(?:ball)?|marathon|tennis|natation|escalade|randonnée|yoga|rugby|judo',
    travel: 'voyages?|voyager|vacances|avion|hôtel|aéroport',
    food: 'mange|manger|cuisine|végétarienn?e?|végane?|café|thé|vin|bière|fromage|chocolat',
    music: 'musique|guitare|piano|violon|chante|chorale|concert|batterie',
    health: 'allergique|allergie|dentiste|médecin|hôpital|asthme|diabète|enceinte',
    milestones: 'mariée?s?|mariage|fiancée?s?|diplômée?s?',
  },
  es: {
    family:
      'esposa|esposo|marido|mujer|hij[oa]s?|madre|mamá|padre|papá|hermana|hermano|' +
      'hermanos|abuel[oa]s?|tí[oa]|prim[oa]|familia|suegr[oa]',
    professional_details: 'trabajo (?:en|como|para)|mi jefe|mi jefa|colegas?|sueldo|empresa',
    sports: 'fútbol|maratón|tenis|natación|baloncesto|gimnasio|senderismo|yoga|escalada',
    travel: 'viajes?|viajar|viajé|vacaciones|vuelo|volar|hotel|aeropuerto',
    food: 'como carne|comer|comida|cocinar|vegetarian[oa]|vegan[oa]|café|té|vino|cerveza|queso',
    music: 'música|guitarra|piano|violín|canto|coro|concierto|batería',
    health: 'alérgic[oa]|alergia|dentista|médic[oa]|hospital|asma|diabetes|embarazada',
    milestones: 'me casé|nos casamos|boda|comprometid[oa]s?|me gradué',
  },
  it: {
    family:
      'moglie|marito|figli[oae]?|madre|mamma|padre|papà|sorella|fratello|genitori|nonn[oa]|' +
      'zi[oa]|cugin[oa]|famiglia|suocer[oa]',
    professional_details: 'lavoro (?:come|per|in|alla|da)|collegh?[ie]|il mio capo|stipendio',
    sports: 'calcio|maratona|tennis|nuoto|palestra|yoga|arrampicata|pallavolo|basket',
    travel: 'viaggio|viaggi|viaggiare|parto per|vacanza|vacanze|volo|aereo|albergo|aeroporto',
    food: 'mangio|mangiare|cucinare|cucina|vegetarian[oa]|vegan[oa]|caffè|tè|vino|birra|formaggio',
    music: 'musica|chitarra|pianoforte|violino|canto|coro|concerto|batteria',
    health: 'allergic[oa]|allergia|dentista|medico|ospedale|asma|diabete|incinta',
    milestones: 'sposat[oaie]|matrimonio|fidanzat[oi]|laureat[oa]',
  },
  pt: {
    family:
      'esposa|marido|mulher|filh[oa]s?|mãe|pai|irmã|irmão|irmãos|avó|avô|avós|ti[oa]|' +
      'prim[oa]|família|sogr[oa]',
    professional_details: 'trabalho (?:na|no|em|como|para)|meu chefe|minha chefe|colegas|salário',
    sports: 'futebol|maratona|tênis|ténis|natação|academia|basquete|escalada|ioga|vôlei',
    travel: 'viagem|viagens|viajar|viajei|férias|voo|avião|hotel|aeroporto',
    food: 'comer|comi|comida|cozinhar|vegetarian[oa]|vegan[oa]|café|chá|vinho|cerveja|queijo',
    music: 'música|violão|guitarra|piano|violino|coral|concerto|bateria',
    health: 'alérgic[oa]|alergia|dentista|médic[oa]|hospital|asma|diabetes|grávida',
    milestones: 'casei|casamos|casamento|noiv[oa]s?|formei',
  },
  ru: {
    personal_details: 'живу (?:в|на)|переехал[аи]?|меня зовут|мне \\d+ (?:год|года|лет)',
    professional_details:
      'работ(?:аю|ает|аем)|собеседован\\p{L}+|коллег\\p{L}+|начальни\\p{L}+|зарплат\\p{L}+|' +
      'должност\\p{L}+',
    technology: 'компьютер\\p{L}*|ноутбук\\p{L}*|Linux|Windows|программирова\\p{L}+|сайт\\p{L}*',
    milestones:
      'женил(?:ся|ись)|вышла замуж|свадьб\\p{L}+|разв(?:ёлся|елась|елись)|окончил[аи]?|' +
      'родил(?:ся|ась)',
    family:
      'жен[аыуе]|женой|муж(?:а|ем)?|сын(?:а|ом)?|доч(?:ь|ери|ерью|ка|ки)|мам[аыуе]|пап[аыуе]|' +
      'сестр[аыуе]|сестрой|брат(?:а|ом)?|родител\\p{L}+|бабушк\\p{L}+|дедушк\\p{L}+|семь[яеию]|' +
      'дет(?:и|ей|ьми)|ребён(?:ок|ка)',
    food:
      'ем|кофе|чай|вино|пиво|сыр|вегетариан\\p{L}+|веган\\p{L}*|готовлю|кухн[яюи]|орех\\p{L}*|' +
      'шпинат\\p{L}*|завтрак\\p{L}*|ужин\\p{L}*',
    sports: 'футбол\\p{L}*|марафон\\p{L}*|теннис\\p{L}*|плавани\\p{L}+|йог[аойу]+',
    travel: 'поехать|поездк\\p{L}+|отпуск\\p{L}*|путешеств\\p{L}+|рейс',
    health: 'аллерги\\p{L}+|врач\\p{L}*|стоматолог\\p{L}*|больниц\\p{L}+|астм\\p{L}+|диабет\\p{L}*',
    music: 'музык\\p{L}+|гитар\\p{L}+|пианино|скрипк\\p{L}+|концерт\\p{L}*',
  },
  ja: {
    family: '妻|夫|息子|娘|母|父|姉|兄|妹|弟|両親|祖母|祖父|家族|子ども|子供',
    food: '食べ|料理|コーヒー|紅茶|お茶|ベジタリアン|ワイン|ビール|寿司|ラーメン',
    sports: 'サッカー|野球|テニス|マラソン|水泳|ヨガ|ジム|バスケ',
    travel: '旅行|飛行機|ホテル|空港|出張',
    health: 'アレルギー|歯医者|病院|医者|喘息|糖尿病|妊娠',
    music: '音楽|ギター|ピアノ|バイオリン|コンサート|歌手',
    professional_details: 'で働いて|に転職|エンジニア|上司|同僚|昇進',
    milestones: '結婚|卒業|婚約|昇進|出産',
  },
  zh: {
    family: '妻子|丈夫|儿子|女儿|妈妈|母亲|爸爸|父亲|姐姐|哥哥|妹妹|弟弟|父母|奶奶|爷爷|孩子',
    food: '吃|咖啡|喝茶|素食|做饭|葡萄酒|啤酒|巧克力|火锅',
    sports: '足球|篮球|网球|马拉松|游泳|瑜伽|健身|跑步|羽毛球',
    travel: '旅行|旅游|飞机|航班|酒店|机场|出差',
    health: '过敏|牙医|医院|医生|哮喘|糖尿病|怀孕',
    music: '音乐|吉他|钢琴|小提琴|演唱会|唱歌',
    professional_details: '工作|工程师|同事|老板|升职|跳槽|入职',
    milestones: '结婚|毕业|订婚|升职',
  },
};
