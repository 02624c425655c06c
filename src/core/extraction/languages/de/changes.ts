import type { ChangeWords } from '../change-words.ts';

export const germanChanges: ChangeWords = {
  ended: 'aufgehört|aufgegeben|gekündigt|nicht mehr|kein\\p{L}* .{0,30}mehr |beendet|abgemeldet',
  died: 'gestorben|verstorben|eingeschläfert',
  sold: 'verkauft|verschenkt|weggegeben',
  moved: 'umgezogen|gezogen|weggezogen|ausgezogen',
  rehomed: 'umgezogen|gezogen|weggezogen',
  changed: 'gewechselt|umgestiegen|statt |getauscht',
  now: 'jetzt |inzwischen|mittlerweile|seit |ab sofort',
  again: 'wieder ',
  parted: 'getrennt|geschieden',
  other:
    'mein\\p{L}* (?:bruder|schwester|mutter|vater|freund|nachbar|kolleg|chef|tante|onkel|sohn|tochter|cousin)',
  once: 'heute |gestern |diese woche|ausnahmsweise|diesmal',
  also: 'auch |außerdem|zusätzlich',
  likes: 'mag |mögen |lieb|gerne? |bevorzug',
  dislikes: 'hass|verabscheu|nicht (?:mehr )?(?:ausstehen|leiden|gern)|mag .{0,24}(?:nicht|kein)',
  not: 'nie |nicht |kein',
  lives: 'wohn|leb[te] ',
  works: 'arbeit',
  has: 'hat |habe? |besitz',
  uses: '(?:be)?nutz(?:e|t) |verwend',
  plans: 'reise|flieg|termin |urlaub',
  revised:
    'eigentlich|stimmt nicht|in wirklichkeit|hat sich herausgestellt|korrigier|verschob|verleg|abgesagt|fällt aus',
  polite: 'bitte|danke',
};
