import { type AskingWords, askingWords } from '../asking-words.ts';

export const frenchAsking: AskingWords = askingWords({
  polite: "s[’']il (?:te|vous) plaît|et|ou|mais|alors|donc|puis|maintenant|bon|ok|merci de",
  tasks: [
    '(?:dis|dites|montre[zr]?|donne[zr]?|envoie|envoyez|explique[zr]?|aide[zr]?|raconte[zr]?|propose[zr]?|écris|écrivez|fais|faites|trouve[zr]?|résume[zr]?|traduis|traduisez|recommande[zr]?|suggère|suggérez)-(?:moi|nous|la|le|les)',
    "(?:écris|écrivez|rédige[zr]?|traduis|traduisez|résume[zr]?|compare[zr]?|trouve[zr]?|cherche[zr]?|recommande[zr]?|crée[zr]?|fais|faites|enlève|enlevez|ajoute[zr]?|remplace[zr]?|retire[zr]?|supprime[zr]?|change[zr]?|corrige[zr]?|raccourcis|raccourcissez|mets|mettez|vérifie[zr]?|calcule[zr]?|liste[zr]?|continue[zr]?|garde[zr]?|reformule[zr]?|invente[zr]?|explique[zr]?)(?: (?:une?|le|la|les|ce|cet|cette|ça|court|juste|plus|moins|tout|en|deux|trois)| l['’]| ?[\"«'’])",
    'traduis (?:en|ça)',
  ],
  lasting: "toujours|jamais|désormais|à l['’]avenir|dorénavant|chaque fois|m[aeo]n?",
  quoting:
    "(?<!\\p{L})(?:a (?:écrit|dit|répondu)|m['’]a (?:écrit|dit)|écrit|traduis|corrige|résume|reformule|paroles|lettre|e-?mail|poème|histoire|personnage|rédaction|citation)(?!\\p{L})",
  supposing:
    "suppos(?:e|ons|ez)|imagin(?:e|ons|ez)|admettons|disons que|mettons que|et si (?:j['’]|je )|faisons comme si",
  play: '(?:imagine|fais comme si|jouons|joue|jeu de rôle)[^.!?]{1,80}(?:je suis|moi je|et moi|je joue) (?:une?|le|la|ton|ta)',
  conditional: {
    condition:
      "si (?:j['’](?:étais|avais(?! à)|habitais)|je (?:vivais|gagnais|pouvais|travaillais))",
    consequence: '\\p{L}{1,30}r(?:ais|ait)',
    fact: 'mais|car|parce|puisque',
  },
});
