import { type UnrecordedWords, unrecordedWords } from '../unrecorded-words.ts';

const store =
  '(?:enregistr|retien|reten|mémoris|not|gard|sauvegard|conserv|stock|consign|inscri|souvien|écri)(?:e[sz]?|s|ir|er|ez|ve|re)?';
const this_ =
  "(?:ceci|ça|cela|de (?:ça|tout ça|tout cela|ce qui suit|ce que je \\S{1,20}(?: \\S{1,20}){0,4})|tout (?:ça|cela)|(?:tout )?ce (?:que |qui |qu['’])\\S{1,20}(?: \\S{1,20}){0,5}|cette (?:conversation|information|phrase)|ce message|la suite)";
const where =
  "(?:,? (?:s['’]il (?:te|vous) plaît|stp|svp|en mémoire|dans ta mémoire|quelque part|nulle part|par écrit))";

export const frenchUnrecorded: UnrecordedWords = unrecordedWords({
  hint: "pas|jamais|rien|entre (?:nous|toi)|confidentiel|en off|hors micro|pour (?:toi|vous)|oublie|efface|supprime|qu['’]|que ",
  storing:
    'enregistr|retien|reten|mémoris|note|gard|conserv|stock|consign|inscri|souvien|mets|entre|confidentiel|en off|hors micro|oublie|efface|supprime|écri',
  polite:
    "s['’]il (?:te|vous) plaît|stp|svp|merci de|mais|alors|au fait|entre nous|surtout|donc|tu peux|peux-tu|je (?:te|vous) demande de|je préfère que",
  joints: 'mais|et|donc|alors',
  asked: [
    `(?:ne |n['’]|tu ne |tu n['’]|vous ne )?(?:l['’]|le |la |les |dois |doi[st] |devez |te |t['’]en )?${store}(?:-(?:le|la))?(?: surtout)? (?:pas|jamais|rien)(?: ${this_})?${where}{0,2}`,
    `(?:ne|n['’]) ?(?:pas|jamais|rien) (?:l['’]|le |la |te )?${store}(?: ${this_})?${where}{0,2}`,
    `(?:ne |n['’])?mets (?:pas|jamais|rien) ${this_}${where}{1,2}`,
    `${this_},? (?:ne (?:le |la |l['’])?|n['’](?:en )?|il ne faut pas |tu ne dois pas (?:le |l['’])?|vous ne devez pas (?:le |l['’])?|ne doit pas être |n['’]est pas à )${store}(?:é)?(?: pas)?${where}{0,2}`,
    '(?:ça|cela|ceci|ce que je (?:te|vous) dis|que ça|que cela)(?: doit)? (?:reste|rester)(?: strictement)? entre (?:nous|toi et moi)',
    "c['’]est (?:strictement )?confidentiel|en off|hors micro",
    'garde(?:z)?[- ](?:ça|cela|le|ceci) pour (?:toi|vous)',
    "oublie(?:z)?,? (?:ce qui suit|ce que je vais (?:te |vous )?dire|ce que je viens de (?:te |vous )?(?:dire|écrire|raconter)|ce que j['’]ai (?:dit|écrit))",
  ],
  pointed:
    "(?:tu peux |vous pouvez )?(?:oublie|efface|supprime)[zr]? (?:ça|cela|ceci)(?: (?:de ta mémoire|maintenant))?|oublie(?:z)? que (?:je (?:l['’]ai|t['’]ai) dit|j['’]ai dit (?:ça|cela))",
  just: 'viens de',
  corrected: 'maintenant|en fait|désormais|plutôt|plus',
  excused: 'gênant|honte|privé|secret|confidentiel|personne',
  stated: "que|qu['’]\\p{L}+|j['’]\\p{L}+|je",
  next: 'suit|suite|vais|dis|te dis|off',
  back: "ça|viens|ai dit|l['’]|le|la|cela",
  all: 'tout|rien|conversation|message',
  announced: '(?:dire|confier|avouer|raconter) (?:quelque chose|un secret|un truc)',
  blamed: `(?:tu|vous) n(?:e |['’])(?:l['’])?aurai(?:s|ez) (?:jamais|pas) d[ûu] (?:\\S{1,12} )?${store}|pourquoi (?:as-tu|tu as|avez-vous) (?:enregistré|noté|retenu|gardé|mémorisé)`,
});
