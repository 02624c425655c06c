import type { ExtractionModels } from '../../ports/index.ts';
import { forgetFeatures } from '../classifier/forget-features.ts';
import { classify } from '../classifier/linear-model.ts';

/** A request to forget, and whether a sentence is surely one. */
export type ForgetRequest = 'forget' | 'perhaps forget';

/**
 * Reads whether sentences ask to forget something, in the languages of the rules; without a model,
 * only the plainest do.
 */
export function createForgetReader(models: ExtractionModels | null) {
  return (sentence: string): ForgetRequest | null => {
    if (negated.test(sentence) || neverMind.test(sentence)) return null;
    if (asksPlainly(sentence)) return 'forget';
    if (models === null || sentence.length > requestMaxChars) return null;
    const vector = models.embed(sentence);
    const given = classify(models.forgetting, forgetFeatures(sentence), vector);
    const sureness = given.get('forget') ?? 0;
    if (sureness < perhapsMin) return null;
    return sureness < sureMin ? 'perhaps forget' : 'forget';
  };
}

/** Who asks to forget does so in few words. */
const requestMaxChars = 300;

/** See `tools/classifier/README.md`. */
const perhapsMin = 0.6;
const sureMin = 0.8;

function asksPlainly(sentence: string): boolean {
  return forgetting.test(sentence) || (deleting.test(sentence) && fromMemory.test(sentence));
}

const politely =
  '(?:(?:please|pls|can you|could you|would you|will you|you can|you should|i want you to|just|' +
  "i(?:['’]d| would) like you to|ok|okay|hey|hi|and|also|actually|now|bitte|kannst du|könntest du|" +
  "s[’']il te plaît|peux-tu|pourrais-tu|tu peux|por favor|puedes|podrías|per favore|puoi|potresti|" +
  'pode|poderia|você pode|пожалуйста|можешь|можно|请|請|麻烦你?)[\\s,]*)*';

const forgetting = new RegExp(
  `^[\\s¡¿]*${politely}(?:forget|stop remembering|vergiss|vergessen sie|vergisst du|oublie[zr]?|` +
    'olvid(?:a|e|ar|ate)|dimentic(?:a|are|hi)|scorda(?:re|ti)?|esque(?:ce|ça|cer)|забудь(?:те)?)' +
    '(?!\\p{L})|忘れて(?:ください|下さい|ほしい|くれ)?[。！!]*$|^(?:请|請)?忘(?:掉|记|了)',
  'iu',
);

const deleting = new RegExp(
  `^[\\s¡¿]*${politely}(?:delete|remove|erase|drop|wipe|scrap|lösch(?:e|en)?|streiche|entferne|` +
    'supprime[zr]?|efface[zr]?|borr(?:a|e|ar)|elimin(?:a|e|ar|are)|cancell(?:a|are|i)|apag(?:a|ue|ar)|' +
    'удали(?:те)?|сотри(?:те)?)(?!\\p{L})|(?:消して|削除して)|^(?:删除|删掉|清除)',
  'iu',
);

/** "Delete the second paragraph" is a task: what is to be forgotten was told or is remembered. */
const fromMemory = new RegExp(
  '(?<!\\p{L})(?:memor(?:y|ies)|remember(?:ed)?|you know|i (?:have |just )?(?:told|said|mentioned)|' +
    'gedächtnis|erinnerung(?:en)?|gesagt|erzählt|gemerkt|mémoire|souvenirs?|dit|raconté|' +
    'memorias?|recuerdos?|dije|conté|ricordi?|detto|raccontato|memória|lembranças?|disse|contei|' +
    'памят[иь]|говорил[аи]?|сказал[аи]?|запомнил[аи]?)(?!\\p{L})|記憶|覚え|メモ|记忆|记住|说过',
  'iu',
);

const negated =
  /(?<!\p{L})(?:don['’]?t|do not|never|nicht|nie|pas|no|non|não|не)(?!\p{L})[^.]{0,20}(?:forget|verg[ei]ss|oubli|olvid|dimentic|scord|esque[cç]|забы)|(?<!\p{L})(?:verg[ei]ss|oublie)\p{L}{0,20} (?:[^.]{1,30} )?(?:nicht|pas)(?!\p{L})|忘れないで|[别別不]忘/iu;

const neverMind = /^(?:(?:oh|ah|ok|well),? )?forget (?:about )?it[.!]*$/iu;
