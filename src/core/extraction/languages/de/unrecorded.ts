import { type UnrecordedWords, unrecordedWords } from '../unrecorded-words.ts';

const this_ =
  '(?:das|dies(?:e[sn]?)?|es|folgendes|das folgende|davon|nichts davon|(?:diese|die(?:se)? (?:nächste|letzte)) (?:nachricht|unterhaltung|info)|(?:das|alles)?,? ?was (?:ich|jetzt|nun|gleich|folgt)(?: \\S{1,20}){0,6}(?: kommt| folgt)?)';
const store =
  '(?:speicher[en]?|abspeicher[en]?|merk(?:en?)?|notier(?:en?)?|aufschreiben|festhalten|behalten|aufzeichnen|mitschreiben|protokollier(?:en?)?)';
const fill = '(?: (?:bitte|dir|dir bitte|bitte dir|hier|jetzt|mal|also|auf keinen fall|nirgends))?';

export const germanUnrecorded: UnrecordedWords = unrecordedWords({
  hint: 'nicht|unter uns|vertraulich|zwischen|für dich|off the record|inoffiziell|vergiss|vergesse|vergessen|lösch|streich',
  storing:
    'speicher|merk|notier|schr[ie]{2}b|zeichne|fest|behalt|protokoll|unter uns|vertraulich|zwischen|für dich|off the record|inoffiziell|verg[ei]ss|lösch|streich',
  polite:
    'bitte|also|ok|okay|jetzt|nur|ach|übrigens|unter uns(?: gesagt)?|ganz ehrlich|dann|kannst du|könntest du',
  joints: 'aber|und|also|doch|denn',
  asked: [
    `(?:merk|speicher|notier|behalt|protokollier)e?(?: sie(?: sich)?)?${fill},? ${this_},?${fill} nicht(?: ab| auf)?(?: bitte)?`,
    `(?:merk|speicher|notier|behalt)e?${fill} nicht(?: ab)?(?:(?=[.!]*$)|,?(?= (?:dass|was) ))`,
    `(?:merk|speicher|notier|behalt)e?${fill} nichts (?:davon|von (?:dem|all dem|alledem))(?: ab)?`,
    `(?:schreib|zeichne)e?${fill} ${this_},?${fill} nicht(?: mit)? auf`,
    `(?:halt|halte)${fill} ${this_},?${fill} nicht fest`,
    `(?:du (?:sollst|darfst|musst|brauchst)|ich (?:will|möchte) nicht, dass du)(?: dir)? ${this_},?${fill}(?: (?:nicht|auch nicht))?(?: zu)? ${store}(?:st)?`,
    `${this_},?${fill}(?: (?:darfst|sollst|musst|brauchst) du)?${fill} nicht(?: (?:zu|mit))? ${store}`,
    `(?:${this_} (?:soll|darf|muss)${fill} nicht|nichts davon (?:soll|darf|sollte)) (?:gespeichert|gemerkt|notiert|aufgeschrieben|festgehalten)(?: werden)?`,
    `(?:${this_}${fill} )?nicht ${store}(?: bitte)?`,
    '(?:das|es|dies)(?: hier)? (?:bleibt|muss|soll|ist)(?: aber| bitte| nur| streng)? (?:unter uns|vertraulich|zwischen (?:uns|dir und mir))(?: bleiben)?',
    'behalt(?:e)? (?:das|es) (?:bitte )?für dich',
    'off the record|inoffiziell gesagt',
    '(?:vergiss|vergesse)(?: bitte)?,? (?:folgendes|das folgende|was ich (?:dir )?(?:jetzt|gleich|nun)(?: \\S{1,20}){1,3}|was ich (?:dir )?(?:(?:gerade|eben|da|vorhin|soeben) )?(?:gesagt|geschrieben|erzählt)(?: habe)?)',
  ],
  pointed:
    '(?:vergiss|vergesse|lösche?|streiche?)(?: bitte)? (?:das|dies)(?: (?:bitte|wieder|jetzt|einfach|schnell|aus deinem gedächtnis)){0,2}|(?:das|dies)(?: kannst du)?(?: (?:bitte|wieder|jetzt)){0,2} (?:vergessen|löschen)|vergiss,? dass ich (?:das|es) (?:gesagt|erwähnt|erzählt) habe',
  just: 'gerade|eben|soeben',
  corrected: 'jetzt|inzwischen|nun|sondern|stattdessen|nicht mehr|eigentlich',
  excused: 'peinlich|privat|geheim|vertraulich|niemand|keiner',
  stated: 'dass|ich|mein\\p{L}*|wir',
  next: 'folgend\\p{L}*|folgt|jetzt|gleich|nun|kommt|nächste|off the record',
  back: 'das|dies|gesagt|erzählt|geschrieben|letzte|vorhin|eben|gerade',
  all: 'davon|alles|unterhaltung|nachricht',
  announced:
    '(?:etwas|was|ein geheimnis) (?:erzählen|sagen|verraten|anvertrauen|gestehen|beichten)',
  blamed:
    'du hättest (?:[^.!?]{1,60} )?(?:nie|niemals|nicht) (?:[^.!?]{0,30})?(?:speichern|merken|notieren|aufschreiben)(?: dürfen| sollen)?|warum hast du (?:[^.!?]{1,60} )(?:gespeichert|gemerkt|notiert)',
});
